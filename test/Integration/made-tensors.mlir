// Tensors at function level whose elements are made by a region, or are put into another shape.
// RUN: clique-run %s --entry=padded --graph=complete:19 --verify
// RUN: clique-run %s --entry=padded --graph=%graphs/karate.mtx --verify
// RUN: clique-run %s --entry=generated --graph=%graphs/karate.mtx --verify
// RUN: clique-run %s --entry=gathered --graph=%graphs/karate.mtx --verify
// RUN: clique-run %s --entry=reshaped --graph=complete:3 --verify

// A row of numbers in front of what arrives, and two behind.
func.func @padded(%g: !mp.graph, %h: tensor<?x4xf32>) -> tensor<?x5xf32> {
  %m = mp.message %g src(%x = %h : tensor<?x4xf32>) -> !mp.edges<4xf32> {
    mp.yield %x : tensor<4xf32>
  }
  %n = mp.aggregate %g sum %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  %r = tensor.pad %n low[1, 0] high[2, 1] {
  ^bb0(%i: index, %j: index):
    %k = arith.index_cast %j : index to i32
    %f = arith.sitofp %k : i32 to f32
    tensor.yield %f : f32
  } : tensor<?x4xf32> to tensor<?x5xf32>
  return %r : tensor<?x5xf32>
}

func.func @generated(%g: !mp.graph, %h: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %m = mp.message %g src(%x = %h : tensor<?x4xf32>) -> !mp.edges<4xf32> {
    mp.yield %x : tensor<4xf32>
  }
  %n = mp.aggregate %g mean %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = tensor.dim %n, %c0 : tensor<?x4xf32>
  %last = arith.subi %rows, %c1 : index
  %r = tensor.generate %rows {
  ^bb0(%i: index, %j: index):
    %back = arith.subi %last, %i : index
    %e = tensor.extract %n[%back, %j] : tensor<?x4xf32>
    tensor.yield %e : f32
  } : tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}

// Rows of one tensor by numbers in another.
func.func @gathered(%g: !mp.graph, %h: tensor<?xf32>) -> tensor<?xf32> {
  %rows = mp.num_src %g : !mp.graph
  %p = mp.node_numbers %rows : tensor<?xi64>
  %t = tensor.empty(%rows) : tensor<?xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d) -> (d)>, affine_map<(d) -> (d)>],
                       iterator_types = ["parallel"]}
      ins(%p : tensor<?xi64>) outs(%t : tensor<?xf32>) {
  ^bb0(%k: i64, %o: f32):
    %half = arith.shrsi %k, %k : i64
    %i = arith.index_cast %half : i64 to index
    %e = tensor.extract %h[%i] : tensor<?xf32>
    linalg.yield %e : f32
  } -> tensor<?xf32>
  %m = mp.message %g src(%x = %r : tensor<?xf32>, %y = %h : tensor<?xf32>) -> !mp.edges<f32> {
    %z = arith.subf %y, %x : tensor<f32>
    mp.yield %z : tensor<f32>
  }
  %n = mp.aggregate %g sum %m : (!mp.edges<f32>) -> tensor<?xf32>
  return %n : tensor<?xf32>
}

func.func @reshaped(%g: !mp.graph, %h: tensor<?x6xf32>, %w: tensor<4x9xf32>) -> tensor<?x6xf32> {
  %s = tensor.collapse_shape %w [[0, 1]] : tensor<4x9xf32> into tensor<36xf32>
  %v = tensor.expand_shape %s [[0, 1]] output_shape [6, 6] : tensor<36xf32> into tensor<6x6xf32>
  %m = mp.message %g src(%x = %h : tensor<?x6xf32>) -> !mp.edges<6xf32> {
    %y = mp.linear %x, %v : (tensor<6xf32>, tensor<6x6xf32>) -> tensor<6xf32>
    mp.yield %y : tensor<6xf32>
  }
  %n = mp.aggregate %g sum %m : (!mp.edges<6xf32>) -> tensor<?x6xf32>
  return %n : tensor<?x6xf32>
}
