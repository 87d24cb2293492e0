// The constraints of kernels, by number.

// RUN: clique-opt %s -split-input-file -verify-diagnostics

func.func @kernel_c1(%h: tensor<?x8xf32>) {
  %0 = mp.kernel "k" -> tensor<?x8xf32> {
    // expected-error@+1 {{'math.exp' op cannot stand in an mp.kernel: it holds messages, aggregations, source sums, scans, updates and sums over nodes only}}
    %r = math.exp %h : tensor<?x8xf32>
    mp.yield %r : tensor<?x8xf32>
  }
  return
}

// -----

func.func @kernel_c2_two_graphs(%g: !mp.graph, %f: !mp.graph, %h: tensor<?x8xf32>) {
  %0 = mp.kernel "k" -> tensor<?x8xf32> {
    %v = mp.message %g src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
      mp.yield %hj : tensor<8xf32>
    }
    // expected-error@+1 {{'mp.aggregate' op is on another graph than the rest of its kernel: put it into a kernel of its own}}
    %m = mp.aggregate %f sum %v : (!mp.edges<8xf32>) -> tensor<?x8xf32>
    mp.yield %m : tensor<?x8xf32>
  }
  return
}

// -----

func.func @kernel_c2_inside(%h: tensor<?x8xf32>) {
  // expected-error@+1 {{'mp.kernel' op makes its graph inside: define it outside}}
  %0 = "mp.kernel"() <{sym = "k"}> ({
  ^bb0(%g: !mp.graph):
    %v = mp.message %g src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
      mp.yield %hj : tensor<8xf32>
    }
    mp.yield %v : !mp.edges<8xf32>
  }) : () -> !mp.edges<8xf32>
  return
}

// -----

func.func @kernel_c3_type(%h: tensor<?x8xf32>) {
  %0 = mp.kernel "k" -> tensor<?x4xf32> {
    %u = mp.update (%a = %h : tensor<?x8xf32>) -> tensor<?x8xf32> {
      mp.yield %a : tensor<8xf32>
    }
    // expected-error@+1 {{'mp.yield' op yields ('tensor<?x8xf32>'): expected ('tensor<?x4xf32>'), the results of its kernel}}
    mp.yield %u : tensor<?x8xf32>
  }
  return
}

// -----

func.func @kernel_c3_no_yield(%h: tensor<?x8xf32>) {
  // expected-error@+1 {{'mp.kernel' op must end with mp.yield of its results}}
  %0 = mp.kernel "k" -> tensor<?x8xf32> {
    %u = mp.update (%a = %h : tensor<?x8xf32>) -> tensor<?x8xf32> {
      mp.yield %a : tensor<8xf32>
    }
  }
  return
}

// -----

func.func @kernel_c4_nodes_with_message(%g: !mp.graph, %h: tensor<?x8xf32>) {
  // expected-error@+1 {{'mp.kernel' op has messages: expected lowering sparse or dense}}
  %0 = mp.kernel "k" nodes -> !mp.edges<8xf32> {
    %v = mp.message %g src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
      mp.yield %hj : tensor<8xf32>
    }
    mp.yield %v : !mp.edges<8xf32>
  }
  return
}

// -----

func.func @kernel_c4_sparse_without_message(%h: tensor<?x8xf32>) {
  // expected-error@+1 {{'mp.kernel' op has no message: expected lowering nodes}}
  %0 = mp.kernel "k" sparse -> tensor<?x8xf32> {
    %u = mp.update (%a = %h : tensor<?x8xf32>) -> tensor<?x8xf32> {
      mp.yield %a : tensor<8xf32>
    }
    mp.yield %u : tensor<?x8xf32>
  }
  return
}

// -----

func.func @kernel_c4_dense_without_message(%h: tensor<?x8xf32>) {
  // expected-error@+1 {{'mp.kernel' op has no message: expected lowering nodes}}
  %0 = mp.kernel "k" dense -> tensor<?x8xf32> {
    %u = mp.update (%a = %h : tensor<?x8xf32>) -> tensor<?x8xf32> {
      mp.yield %a : tensor<8xf32>
    }
    mp.yield %u : tensor<?x8xf32>
  }
  return
}

// -----

func.func @kernel_c4_dense_on_sparse(%g: !mp.graph<sparse>, %h: tensor<?x8xf32>) {
  // expected-error@+1 {{'mp.kernel' op cannot be lowered to dense tiles on '!mp.graph<sparse>': lower it as sparse, or give a graph of another topology or of an unknown one}}
  %0 = mp.kernel "k" dense -> !mp.edges<8xf32> {
    %v = mp.message %g : !mp.graph<sparse> src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
      mp.yield %hj : tensor<8xf32>
    }
    mp.yield %v : !mp.edges<8xf32>
  }
  return
}

// -----

func.func @kernel_c5_outside(%g: !mp.graph, %v: !mp.edges<8xf32>) {
  %0 = mp.kernel "k" -> tensor<?x8xf32> {
    // expected-error@+1 {{'mp.aggregate' op aggregates an edge value from outside its kernel: make a message of it in the kernel}}
    %m = mp.aggregate %g sum %v : (!mp.edges<8xf32>) -> tensor<?x8xf32>
    mp.yield %m : tensor<?x8xf32>
  }
  return
}

// -----

func.func @kernel_c5_message_outside(%g: !mp.graph, %h: tensor<?x8xf32>) {
  %v = mp.message %g src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
    mp.yield %hj : tensor<8xf32>
  }
  %0 = mp.kernel "k" -> tensor<?x8xf32> {
    // expected-error@+1 {{'mp.aggregate' op aggregates an edge value from outside its kernel: make a message of it in the kernel}}
    %m = mp.aggregate %g sum %v : (!mp.edges<8xf32>) -> tensor<?x8xf32>
    mp.yield %m : tensor<?x8xf32>
  }
  return
}

// -----

func.func @kernel_c6_no_heads(%g: !mp.graph, %h: tensor<?x8xf32>) {
  // expected-error@+1 {{'mp.kernel' op has 0 heads: expected at least 1}}
  %0 = mp.kernel "k" dense heads(0) -> tensor<?x8xf32> {
  ^bb0(%head: index):
    mp.yield %h : tensor<?x8xf32>
  }
  return
}

// -----

func.func @kernel_c6_argument_missing(%g: !mp.graph, %h: tensor<?x8xf32>) {
  // expected-error@+1 {{'mp.kernel' op has heads: expected one region argument of type index, the number of the head}}
  %0 = mp.kernel "k" dense heads(8) -> tensor<?x8xf32> {
    mp.yield %h : tensor<?x8xf32>
  }
  return
}

// -----

func.func @kernel_c6_argument_without_heads(%g: !mp.graph, %h: tensor<?x8xf32>) {
  // expected-error@+1 {{'mp.kernel' op has a region argument: expected none without heads}}
  %0 = mp.kernel "k" -> tensor<?x8xf32> {
  ^bb0(%head: index):
    mp.yield %h : tensor<?x8xf32>
  }
  return
}

// -----

func.func @kernel_c3_heads(%g: !mp.graph, %h: tensor<?x8xf32>) {
  %0 = mp.kernel "k" dense heads(4) -> tensor<?x8xf32> {
  ^bb0(%head: index):
    // expected-error@+1 {{'mp.yield' op yields 'tensor<?x8xf32>' for 'tensor<?x8xf32>': expected the result of one of 4 heads, without its dimension}}
    mp.yield %h : tensor<?x8xf32>
  }
  return
}

// -----

func.func @cost_c1_negative(%g: !mp.graph) {
  // expected-error@+1 {{a time of -1 picoseconds: expected 0 or more}}
  %c = mp.choose_dense %g, "k" versions both cost <edge = 8, far_edge = 1, source_bytes = 64, row = -1, pair = 8, masked_pair = 11, tile_edge = 0, tile_rows = 8, register_block = 9> : !mp.graph
  return
}

// -----

func.func @cost_c1_saving(%g: !mp.graph) {
  // expected-error@+1 {{12 picoseconds are saved of 11: expected no more than all}}
  %c = mp.choose_dense %g, "k" versions both cost <edge = 8, far_edge = 1, source_bytes = 64, row = 1, pair = 8, masked_pair = 11, tile_edge = 0, tile_rows = 8, register_block = 9, even_saving = 12> : !mp.graph
  return
}

// -----

func.func @cost_c2_bytes(%g: !mp.graph) {
  // expected-error@+1 {{features of -64 bytes: expected 0 or more}}
  %c = mp.choose_dense %g, "k" versions both cost <edge = 8, far_edge = 1, source_bytes = -64, row = 1, pair = 8, masked_pair = 11, tile_edge = 0, tile_rows = 8, register_block = 9> : !mp.graph
  return
}

// -----

func.func @cost_c2_rows(%g: !mp.graph) {
  // expected-error@+1 {{tiles of 0 destinations: expected 1 or more}}
  %c = mp.choose_dense %g, "k" versions both cost <edge = 8, far_edge = 1, source_bytes = 64, row = 1, pair = 8, masked_pair = 11, tile_edge = 0, tile_rows = 0, register_block = 9> : !mp.graph
  return
}

// -----

func.func @kernel_c7_schedule(%h: tensor<?x8xf32>) -> tensor<?x8xf32> {
  // expected-error@+1 {{'mp.kernel' op has the schedule #mp.tiles<rows = 12, tile_rows = 12, columns = 64, border = 32>, which is for another lowering: expected #mp.node_blocks for nodes, #mp.row_blocks, #mp.typed_blocks or #mp.edge_blocks for sparse, #mp.tiles for dense}}
  %0 = mp.kernel "k" nodes schedule(#mp.tiles<rows = 12, tile_rows = 12, columns = 64, border = 32>) -> tensor<?x8xf32> {
    %u = mp.update (%hi = %h : tensor<?x8xf32>) -> tensor<?x8xf32> {
      mp.yield %hi : tensor<8xf32>
    }
    mp.yield %u : tensor<?x8xf32>
  }
  return %0 : tensor<?x8xf32>
}

// -----

func.func @kernel_c8_alone(%g: !mp.graph, %h: tensor<?xf32>, %e: !mp.edges<f32>) {
  %0 = mp.kernel "k" -> tensor<?xf32> {
    %m = mp.message %g edge(%w = %e : !mp.edges<f32>) -> !mp.edges<f32> {
      mp.yield %w : tensor<f32>
    }
    // expected-error@+1 {{'mp.scan' op stands in a kernel with 'mp.update': put it into a kernel of its own}}
    %s = mp.scan %g from(%a = %h : tensor<?xf32>) edge(%x = %m : !mp.edges<f32>) -> tensor<?xf32> {
      mp.yield %x : tensor<f32>
    }
    %u = mp.update (%hi = %s : tensor<?xf32>) -> tensor<?xf32> {
      mp.yield %hi : tensor<f32>
    }
    mp.yield %u : tensor<?xf32>
  }
  return
}

// -----

func.func @kernel_c8_dense(%g: !mp.graph, %h: tensor<?xf32>, %e: !mp.edges<f32>) {
  %0 = mp.kernel "k" dense -> tensor<?xf32> {
    %m = mp.message %g edge(%w = %e : !mp.edges<f32>) -> !mp.edges<f32> {
      mp.yield %w : tensor<f32>
    }
    // expected-error@+1 {{'mp.scan' op takes edges one after the other: expected lowering sparse, without heads}}
    %s = mp.scan %g from(%a = %h : tensor<?xf32>) edge(%x = %m : !mp.edges<f32>) -> tensor<?xf32> {
      mp.yield %x : tensor<f32>
    }
    mp.yield %s : tensor<?xf32>
  }
  return
}

// -----

func.func @kernel_c9_sparse(%g: !mp.graph, %h: tensor<?x8xf32>) {
  %0:2 = mp.kernel "k" sparse -> tensor<?x8xf32>, tensor<?x8xf32> {
    %m = mp.message %g dst(%hi = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
      mp.yield %hi : tensor<8xf32>
    }
    %a = mp.aggregate %g sum %m : (!mp.edges<8xf32>) -> tensor<?x8xf32>
    // expected-error@+1 {{'mp.source_sum' op stands in no kernel of tiles with an aggregation: expected lowering dense, and an mp.aggregate}}
    %s = mp.source_sum %g %m : (!mp.edges<8xf32>) -> tensor<?x8xf32>
    mp.yield %a, %s : tensor<?x8xf32>, tensor<?x8xf32>
  }
  return
}

// -----

func.func @kernel_c9_alone(%g: !mp.graph, %h: tensor<?x8xf32>) {
  %0 = mp.kernel "k" dense -> tensor<?x8xf32> {
    %m = mp.message %g dst(%hi = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
      mp.yield %hi : tensor<8xf32>
    }
    // expected-error@+1 {{'mp.source_sum' op stands in no kernel of tiles with an aggregation: expected lowering dense, and an mp.aggregate}}
    %s = mp.source_sum %g %m : (!mp.edges<8xf32>) -> tensor<?x8xf32>
    mp.yield %s : tensor<?x8xf32>
  }
  return
}

// -----

func.func @kernel_c9_update(%g: !mp.graph<complete>, %h: tensor<?x8xf32>) {
  %0:2 = mp.kernel "k" dense -> tensor<?x8xf32>, tensor<?x8xf32> {
    %m = mp.message %g : !mp.graph<complete> dst(%hi = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
      mp.yield %hi : tensor<8xf32>
    }
    %a = mp.aggregate %g : !mp.graph<complete> sum %m : (!mp.edges<8xf32>) -> tensor<?x8xf32>
    // expected-error@+1 {{'mp.source_sum' op is used by 'mp.update' in its kernel, whose rows are not those of the result: yield it}}
    %s = mp.source_sum %g : !mp.graph<complete> %m : (!mp.edges<8xf32>) -> tensor<?x8xf32>
    %u = mp.update (%si = %s : tensor<?x8xf32>) -> tensor<?x8xf32> {
      mp.yield %si : tensor<8xf32>
    }
    mp.yield %a, %u : tensor<?x8xf32>, tensor<?x8xf32>
  }
  return
}

// -----

func.func @kernel_c2_source_sum(%g: !mp.graph, %other: !mp.graph, %h: tensor<?x8xf32>) {
  %0:2 = mp.kernel "k" dense -> tensor<?x8xf32>, tensor<?x8xf32> {
    %m = mp.message %g dst(%hi = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
      mp.yield %hi : tensor<8xf32>
    }
    %a = mp.aggregate %g sum %m : (!mp.edges<8xf32>) -> tensor<?x8xf32>
    // expected-error@+1 {{'mp.source_sum' op is on another graph than the rest of its kernel: put it into a kernel of its own}}
    %s = mp.source_sum %other %m : (!mp.edges<8xf32>) -> tensor<?x8xf32>
    mp.yield %a, %s : tensor<?x8xf32>, tensor<?x8xf32>
  }
  return
}

// -----

func.func @source_sum_c1_none(%g: !mp.graph, %h: tensor<?x8xf32>) {
  %0 = mp.kernel "k" dense -> tensor<?x8xf32> {
    %m = mp.message %g dst(%hi = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
      mp.yield %hi : tensor<8xf32>
    }
    %a = mp.aggregate %g sum %m : (!mp.edges<8xf32>) -> tensor<?x8xf32>
    // expected-error@+1 {{'mp.source_sum' op adds up no value: give at least one}}
    "mp.source_sum"(%g) : (!mp.graph) -> ()
    mp.yield %a : tensor<?x8xf32>
  }
  return
}

// -----

func.func @source_sum_c1_integers(%g: !mp.graph, %h: tensor<?x8xf32>, %n: tensor<?xi32>) {
  %0:2 = mp.kernel "k" dense -> tensor<?x8xf32>, tensor<?xi32> {
    %m:2 = mp.message %g dst(%hi = %h : tensor<?x8xf32>, %ni = %n : tensor<?xi32>) -> !mp.edges<8xf32>, !mp.edges<i32> {
      mp.yield %hi, %ni : tensor<8xf32>, tensor<i32>
    }
    %a = mp.aggregate %g sum %m#0 : (!mp.edges<8xf32>) -> tensor<?x8xf32>
    // expected-error@+1 {{'mp.source_sum' op adds up '!mp.edges<i32>': expected floats; convert the value in the message}}
    %s = mp.source_sum %g %m#1 : (!mp.edges<i32>) -> tensor<?xi32>
    mp.yield %a, %s : tensor<?x8xf32>, tensor<?xi32>
  }
  return
}

// -----

func.func @source_sum_c2_count(%g: !mp.graph, %h: tensor<?x8xf32>) {
  %0:3 = mp.kernel "k" dense -> tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32> {
    %m = mp.message %g dst(%hi = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
      mp.yield %hi : tensor<8xf32>
    }
    %a = mp.aggregate %g sum %m : (!mp.edges<8xf32>) -> tensor<?x8xf32>
    // expected-error@+1 {{'mp.source_sum' op has 2 results for 1 values: expected one each}}
    %s:2 = mp.source_sum %g %m : (!mp.edges<8xf32>) -> (tensor<?x8xf32>, tensor<?x8xf32>)
    mp.yield %a, %s#0, %s#1 : tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>
  }
  return
}

// -----

func.func @source_sum_c2_type(%g: !mp.graph, %h: tensor<?x8xf32>) {
  %0:2 = mp.kernel "k" dense -> tensor<?x8xf32>, tensor<?x4xf32> {
    %m = mp.message %g dst(%hi = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
      mp.yield %hi : tensor<8xf32>
    }
    %a = mp.aggregate %g sum %m : (!mp.edges<8xf32>) -> tensor<?x8xf32>
    // expected-error@+1 {{'mp.source_sum' op result 'tensor<?x4xf32>' does not fit value '!mp.edges<8xf32>': expected a node tensor of the same feature}}
    %s = mp.source_sum %g %m : (!mp.edges<8xf32>) -> tensor<?x4xf32>
    mp.yield %a, %s : tensor<?x8xf32>, tensor<?x4xf32>
  }
  return
}

// -----

func.func @block_c1_schedule(%first: index, %last: index, %h: tensor<?x8xf32>, %out: memref<?x8xf32>) {
  // expected-error@+1 {{'mp.block' op expected one mp.kernel in its region, with lowering and schedule and without heads, and mp.yield of its results}}
  mp.block rows %first to %last outs(%out : memref<?x8xf32>) {
    %o = mp.kernel "k" nodes -> tensor<?x8xf32> {
      %u = mp.update (%hi = %h : tensor<?x8xf32>) -> tensor<?x8xf32> {
        mp.yield %hi : tensor<8xf32>
      }
      mp.yield %u : tensor<?x8xf32>
    }
    mp.yield %o : tensor<?x8xf32>
  }
  return
}

// -----

func.func @block_c1_yield(%first: index, %last: index, %h: tensor<?x8xf32>, %out: memref<?x8xf32>) {
  // expected-error@+1 {{'mp.block' op expected one mp.kernel in its region, with lowering and schedule and without heads, and mp.yield of its results}}
  mp.block rows %first to %last outs(%out : memref<?x8xf32>) {
    %o = mp.kernel "k" nodes schedule(#mp.node_blocks<rows = 64>) -> tensor<?x8xf32> {
      %u = mp.update (%hi = %h : tensor<?x8xf32>) -> tensor<?x8xf32> {
        mp.yield %hi : tensor<8xf32>
      }
      mp.yield %u : tensor<?x8xf32>
    }
    mp.yield %h : tensor<?x8xf32>
  }
  return
}

// -----

func.func @block_c2_graph(%first: index, %last: index, %h: tensor<?x8xf32>, %out: memref<?x8xf32>, %other: !mp.graph, %a: memref<?xi64>, %s: memref<?xi32>) {
  // expected-error@+1 {{'mp.block' op expected the graph of its kernel as the argument of its region, and none for a kernel of nodes}}
  mp.block rows %first to %last arrays(%a, %a, %s, %a : memref<?xi64>, memref<?xi64>, memref<?xi32>, memref<?xi64>) outs(%out : memref<?x8xf32>) {
  ^bb0(%g: !mp.graph):
    %o = mp.kernel "k" sparse schedule(#mp.row_blocks<rows = 32, edges = 512>) -> tensor<?x8xf32> {
      %v = mp.message %other src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
        mp.yield %hj : tensor<8xf32>
      }
      %m = mp.aggregate %other sum %v : (!mp.edges<8xf32>) -> tensor<?x8xf32>
      mp.yield %m : tensor<?x8xf32>
    }
    mp.yield %o : tensor<?x8xf32>
  }
  return
}

// -----

func.func @block_c3_arrays(%first: index, %last: index, %h: tensor<?x8xf32>, %out: memref<?x8xf32>, %a: memref<?xi64>) {
  // expected-error@+1 {{'mp.block' op has arrays ('memref<?xi64>'): expected ('memref<?xi64>', 'memref<?xi64>', 'memref<?xi32>', 'memref<?xi64>')}}
  mp.block rows %first to %last arrays(%a : memref<?xi64>) outs(%out : memref<?x8xf32>) {
  ^bb0(%g: !mp.graph):
    %o = mp.kernel "k" sparse schedule(#mp.row_blocks<rows = 32, edges = 512>) -> tensor<?x8xf32> {
      %v = mp.message %g src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
        mp.yield %hj : tensor<8xf32>
      }
      %m = mp.aggregate %g sum %v : (!mp.edges<8xf32>) -> tensor<?x8xf32>
      mp.yield %m : tensor<?x8xf32>
    }
    mp.yield %o : tensor<?x8xf32>
  }
  return
}

// -----

func.func @block_c4_args(%first: index, %last: index, %h: tensor<?x8xf32>, %out: memref<?x8xf32>, %a: memref<?xi64>, %s: memref<?xi32>) {
  // expected-error@+1 {{'mp.block' op has args ('index', 'index'): expected ('index', 'index', 'index')}}
  mp.block chunk %first to %last arrays(%a, %a, %s, %a : memref<?xi64>, memref<?xi64>, memref<?xi32>, memref<?xi64>) args(%first, %last : index, index) outs(%out : memref<?x8xf32>) {
  ^bb0(%g: !mp.graph):
    %o = mp.kernel "k" sparse schedule(#mp.row_blocks<rows = 1, edges = 512>) -> tensor<?x8xf32> {
      %v = mp.message %g src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
        mp.yield %hj : tensor<8xf32>
      }
      %m = mp.aggregate %g sum %v : (!mp.edges<8xf32>) -> tensor<?x8xf32>
      mp.yield %m : tensor<?x8xf32>
    }
    mp.yield %o : tensor<?x8xf32>
  }
  return
}

// -----

func.func @block_c5_scratch(%first: index, %last: index, %h: tensor<?x8xf32>, %out: memref<?x8xf32>) {
  // expected-error@+1 {{'mp.block' op of whole rows has scratch: expected none}}
  mp.block rows %first to %last scratch(%out : memref<?x8xf32>) outs(%out : memref<?x8xf32>) {
    %o = mp.kernel "k" nodes schedule(#mp.node_blocks<rows = 64>) -> tensor<?x8xf32> {
      %u = mp.update (%hi = %h : tensor<?x8xf32>) -> tensor<?x8xf32> {
        mp.yield %hi : tensor<8xf32>
      }
      mp.yield %u : tensor<?x8xf32>
    }
    mp.yield %o : tensor<?x8xf32>
  }
  return
}

// -----

func.func @block_c5_part(%first: index, %last: index, %h: tensor<?x8xf32>, %out: memref<?x8xf32>, %a: memref<?xi64>, %s: memref<?xi32>) {
  // expected-error@+1 {{'mp.block' op takes a part of a row, with the schedule #mp.row_blocks<rows = 32, edges = 512>: expected #mp.row_blocks or, for a chunk, #mp.edge_blocks, with rows = 1}}
  mp.block merge %first to %last arrays(%a, %a, %s, %a : memref<?xi64>, memref<?xi64>, memref<?xi32>, memref<?xi64>) args(%first, %last : index, index) outs(%out : memref<?x8xf32>) {
  ^bb0(%g: !mp.graph):
    %o = mp.kernel "k" sparse schedule(#mp.row_blocks<rows = 32, edges = 512>) -> tensor<?x8xf32> {
      %v = mp.message %g src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
        mp.yield %hj : tensor<8xf32>
      }
      %m = mp.aggregate %g sum %v : (!mp.edges<8xf32>) -> tensor<?x8xf32>
      mp.yield %m : tensor<?x8xf32>
    }
    mp.yield %o : tensor<?x8xf32>
  }
  return
}

// -----

func.func @block_c6_count(%first: index, %last: index, %h: tensor<?x8xf32>, %out: memref<?x8xf32>) {
  // expected-error@+1 {{'mp.block' op has 2 outs for 1 results of its kernel: expected one each}}
  mp.block rows %first to %last outs(%out, %out : memref<?x8xf32>, memref<?x8xf32>) {
    %o = mp.kernel "k" nodes schedule(#mp.node_blocks<rows = 64>) -> tensor<?x8xf32> {
      %u = mp.update (%hi = %h : tensor<?x8xf32>) -> tensor<?x8xf32> {
        mp.yield %hi : tensor<8xf32>
      }
      mp.yield %u : tensor<?x8xf32>
    }
    mp.yield %o : tensor<?x8xf32>
  }
  return
}

// -----

func.func @block_c6_type(%first: index, %last: index, %h: tensor<?x8xf32>, %out: memref<?x8xf32>, %small: memref<?x4xf32>) {
  // expected-error@+1 {{'mp.block' op writes 'tensor<?x8xf32>' to 'memref<?x4xf32>': expected memory of the same shape and element type}}
  mp.block rows %first to %last outs(%small : memref<?x4xf32>) {
    %o = mp.kernel "k" nodes schedule(#mp.node_blocks<rows = 64>) -> tensor<?x8xf32> {
      %u = mp.update (%hi = %h : tensor<?x8xf32>) -> tensor<?x8xf32> {
        mp.yield %hi : tensor<8xf32>
      }
      mp.yield %u : tensor<?x8xf32>
    }
    mp.yield %o : tensor<?x8xf32>
  }
  return
}
