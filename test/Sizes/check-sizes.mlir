// Checks in terms of the sizes of arguments and graphs; nothing for what types
// say, and the same numbers once.
// RUN: clique-opt %s --split-input-file --mp-check-sizes | FileCheck %s

// CHECK-LABEL: func.func @elementwise(
// CHECK-SAME:    %[[A:.*]]: tensor<?x8xf32>, %[[B:.*]]: tensor<?x8xf32>
// CHECK-DAG:     %[[M:.*]] = tensor.dim %[[A]], %c0
// CHECK-DAG:     %[[N:.*]] = tensor.dim %[[B]], %c0
// CHECK:         mp.check %[[N]] in %[[M]] to %[[M]], "{{.*}}check-sizes.mlir:{{[0-9]+}}:{{[0-9]+}}: 'arith.addf': dimension 0 of operand #1 must be that of operand #0"
// CHECK-NEXT:    arith.addf
// The sum has the rows of its operands, which are known to be equal.
// CHECK-NOT:     mp.check
// CHECK:         return
func.func @elementwise(%a: tensor<?x8xf32>, %b: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %c = arith.addf %a, %b : tensor<?x8xf32>
  %d = arith.mulf %b, %c : tensor<?x8xf32>
  %e = math.exp %d : tensor<?x8xf32>
  return %e : tensor<?x8xf32>
}

// -----

// CHECK-LABEL: func.func @static(
// CHECK-NOT:     mp.check
// CHECK:         return
func.func @static(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<2x8xf32> {
  %c = arith.addf %a, %b : tensor<4x8xf32>
  %d = tensor.extract_slice %c[1, 0] [2, 8] [1, 1] : tensor<4x8xf32> to tensor<2x8xf32>
  return %d : tensor<2x8xf32>
}

// -----

// A layer: what arguments have to have; its own values fit by construction.
// CHECK-LABEL: func.func @layer(
// CHECK-SAME:    %[[G:.*]]: !mp.graph, %[[H:.*]]: tensor<?x8xf32>, %[[E:.*]]: !mp.edges<8xf32>
// CHECK-DAG:     %[[ROWS:.*]] = tensor.dim %[[H]], %c0
// CHECK-DAG:     %[[SRC:.*]] = mp.num_src %[[G]]
// CHECK:         mp.check %[[ROWS]] in %[[SRC]] to %[[SRC]], "{{.*}}'mp.message': src operand #0 needs a row for each source of its graph"
// CHECK-DAG:     %[[EDGES:.*]] = mp.num_edges %[[G]]
// CHECK-DAG:     %[[VALUES:.*]] = mp.num_rows %[[E]]
// CHECK:         mp.check %[[VALUES]] in %[[EDGES]] to %[[EDGES]], "{{.*}}'mp.message': edge operand #0 needs a row for each edge of its graph"
// CHECK:         %[[DST:.*]] = mp.num_dst %[[G]]
// CHECK:         mp.check %[[DST]] in %[[ROWS]] to %[[ROWS]], "{{.*}}'mp.update': dimension 0 of operand #1 must be that of operand #0"
// CHECK-NEXT:    mp.message
// CHECK-NOT:     mp.check
// CHECK:         mp.update
func.func @layer(%g: !mp.graph, %h: tensor<?x8xf32>, %e: !mp.edges<8xf32>) -> tensor<?x8xf32> {
  %m = mp.message %g src(%hj = %h : tensor<?x8xf32>) edge(%x = %e : !mp.edges<8xf32>) -> !mp.edges<8xf32> {
    %r = arith.mulf %hj, %x : tensor<8xf32>
    mp.yield %r : tensor<8xf32>
  }
  %s = mp.aggregate %g sum %m : (!mp.edges<8xf32>) -> tensor<?x8xf32>
  %o = mp.update (%hi = %h : tensor<?x8xf32>, %si = %s : tensor<?x8xf32>) -> tensor<?x8xf32> {
    %r = arith.addf %hi, %si : tensor<8xf32>
    mp.yield %r : tensor<8xf32>
  }
  return %o : tensor<?x8xf32>
}

// -----

// A check stays in the block of its op.
// CHECK-LABEL: func.func @branch(
// CHECK:         scf.if
// CHECK:           mp.check %{{.*}} in %c0 to %{{.*}}, "{{.*}}'tensor.extract': position along dimension 0"
// CHECK-NEXT:      tensor.extract
func.func @branch(%a: tensor<?xf32>, %i: index, %c: i1) -> f32 {
  %r = scf.if %c -> f32 {
    %x = tensor.extract %a[%i] : tensor<?xf32>
    scf.yield %x : f32
  } else {
    %x = arith.constant 0.0 : f32
    scf.yield %x : f32
  }
  return %r : f32
}

// -----

// Positions that a region computes are reduced to their ends.
// CHECK-LABEL: func.func @gather(
// CHECK:         %[[ENDS:.*]]:2 = linalg.generic {{.*}}iterator_types = ["reduction"]
// CHECK:           arith.minsi
// CHECK:           arith.maxsi
// CHECK:         mp.check {{.*}}"{{.*}}'linalg.generic': position along dimension 0 of what its tensor.extract reads"
// CHECK:         linalg.generic {{.*}}iterator_types = ["parallel"]
// CHECK:           tensor.extract
func.func @gather(%a: tensor<?xf32>, %k: tensor<?xi64>, %out: tensor<?xf32>) -> tensor<?xf32> {
  %d = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]} ins(%k : tensor<?xi64>) outs(%out : tensor<?xf32>) {
    ^bb0(%x: i64, %y: f32):
      %i = arith.index_cast %x : i64 to index
      %s = tensor.extract %a[%i] : tensor<?xf32>
      linalg.yield %s : f32
    } -> tensor<?xf32>
  return %d : tensor<?xf32>
}

// -----

// A row is found where something is looked up; a static table has one.
// CHECK-LABEL: func.func @lookup(
// CHECK-SAME:    %[[X:.*]]: tensor<?x8xf32>, %[[E:.*]]: !mp.edges<8xf32>, %[[I:.*]]: tensor<?xi32>
// CHECK-DAG:     %[[COUNT:.*]] = tensor.dim %[[I]], %c0
// CHECK-DAG:     %[[LEAST:.*]] = affine.min {{.*}}()[%[[COUNT]]]
// CHECK-DAG:     %[[ROWS:.*]] = tensor.dim %[[X]], %c0
// CHECK:         mp.check %[[ROWS]] in %[[LEAST]] to %{{.*}}, "{{.*}}'mp.lookup': rows of the table"
// CHECK:         %[[EDGES:.*]] = mp.num_rows %[[E]]
// CHECK:         mp.check %[[EDGES]] in %[[LEAST]] to %{{.*}}, "{{.*}}'mp.lookup': rows of the table"
// CHECK-NOT:     mp.check
// CHECK:         return
func.func @lookup(%x: tensor<?x8xf32>, %e: !mp.edges<8xf32>, %i: tensor<?xi32>) -> (tensor<?x8xf32>, !mp.edges<8xf32>) {
  %r = mp.lookup %x[%i] : tensor<?x8xf32>, tensor<?xi32> -> tensor<?x8xf32>
  %s = mp.lookup %e[%i] : !mp.edges<8xf32>, tensor<?xi32> -> !mp.edges<8xf32>
  // As many rows as indices.
  %t = arith.addf %r, %r : tensor<?x8xf32>
  return %t, %s : tensor<?x8xf32>, !mp.edges<8xf32>
}

// -----

// A key for each edge.
// CHECK-LABEL: func.func @groups(
// CHECK-SAME:    %[[G:.*]]: !mp.graph, %[[TYPE:.*]]: !mp.edges<i32>, %[[N:.*]]: index)
// CHECK-DAG:     %[[EDGES:.*]] = mp.num_edges %[[G]]
// CHECK-DAG:     %[[KEYS:.*]] = mp.num_rows %[[TYPE]]
// CHECK:         mp.check %[[KEYS]] in %[[EDGES]] to %[[EDGES]], "{{.*}}'mp.group_edges': the keys need a row for each edge of the graph"
// CHECK:         mp.check %[[N]] in %c1{{.*}} to %{{.*}}, "{{.*}}'mp.group_edges': number of keys"
func.func @groups(%g: !mp.graph, %type: !mp.edges<i32>, %n: index) -> tensor<?xi32> {
  %p, %rows, %keys = mp.group_edges %g by %type into %n : !mp.graph, !mp.edges<i32>
  return %keys : tensor<?xi32>
}

// -----

// A tensor may be computed where a later op puts it: its rows are checked before.
// CHECK-LABEL: func.func @inserted(
// CHECK-SAME:    %[[X:.*]]: tensor<?x8xf32>, %[[Y:.*]]: tensor<?x8xf32>, %[[N:.*]]: index
// CHECK:         %[[ROWS:.*]] = tensor.dim %[[X]], %c0
// CHECK:         mp.check %[[ROWS]] in %[[N]] to %[[N]], "{{.*}}'tensor.insert_slice': dimension 0 of the source must be that of the part"
// CHECK:         math.exp
// CHECK:         tensor.extract
// The size of the second part is not known before.
// CHECK:         mp.check {{.*}}'tensor.insert_slice'
// CHECK:         tensor.insert_slice
func.func @inserted(%x: tensor<?x8xf32>, %y: tensor<?x8xf32>, %n: index, %sizes: tensor<2xindex>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %e = math.exp %x : tensor<?x8xf32>
  %m = tensor.extract %sizes[%c0] : tensor<2xindex>
  %r = tensor.insert_slice %e into %y[0, 0] [%n, 8] [1, 1] : tensor<?x8xf32> into tensor<?x8xf32>
  %s = tensor.insert_slice %e into %r[1, 0] [%m, 8] [1, 1] : tensor<?x8xf32> into tensor<?x8xf32>
  return %s : tensor<?x8xf32>
}

// -----

// The source of a scatter is a slice of its destination.
// CHECK-LABEL: func.func @scatter(
// CHECK-SAME:    %[[X:.*]]: tensor<?xf32>, %[[Y:.*]]: tensor<?x?xf32>, %{{.*}}: tensor<1xi32>)
// CHECK-DAG:     %[[ROWS:.*]] = tensor.dim %[[X]], %c0
// CHECK-DAG:     %[[MOST:.*]] = tensor.dim %[[Y]], %c0
// CHECK-DAG:     %[[THERE:.*]] = tensor.dim %[[Y]], %c1
// CHECK-DAG:     mp.check %[[MOST]] in %c1{{.*}} to %{{.*}}, "{{.*}}'tensor.scatter': size of dimension 0 of the destination"
// CHECK-DAG:     mp.check %[[ROWS]] in %[[THERE]] to %[[THERE]], "{{.*}}'tensor.scatter': dimension 0 of the source must be dimension 1 of the destination"
// CHECK:         tensor.scatter
func.func @scatter(%x: tensor<?xf32>, %y: tensor<?x?xf32>, %k: tensor<1xi32>) -> tensor<?x?xf32> {
  %r = tensor.scatter %x into %y[%k] scatter_dims([0]) unique : (tensor<?xf32>, tensor<?x?xf32>, tensor<1xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// What pads and joins to a size that the result's type has.
// CHECK-LABEL: func.func @made(
// CHECK-SAME:    %[[X:.*]]: tensor<?xf32>, %[[Y:.*]]: tensor<?xf32>, %[[HIGH:.*]]: index)
// CHECK-DAG:     %[[C8:.*]] = arith.constant 8 : index
// CHECK-DAG:     %[[M:.*]] = tensor.dim %[[X]], %c0
// CHECK-DAG:     %[[N:.*]] = tensor.dim %[[Y]], %c0
// CHECK-DAG:     %[[BOTH:.*]] = affine.apply {{.*}}[%[[M]], %[[N]]]
// CHECK-DAG:     mp.check %[[BOTH]] in %[[C8]] to %[[C8]], "{{.*}}'tensor.concat': dimension 0 must be what the result's type says"
// CHECK-DAG:     mp.check %{{.*}} in %[[C8]] to %[[C8]], "{{.*}}'tensor.pad': dimension 0 must be what the result's type says"
// CHECK:         return
func.func @made(%x: tensor<?xf32>, %y: tensor<?xf32>, %high: index) -> (tensor<8xf32>, tensor<8xf32>) {
  %j = tensor.concat dim(0) %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<8xf32>
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[1] high[%high] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<?xf32> to tensor<8xf32>
  return %j, %p : tensor<8xf32>, tensor<8xf32>
}

// -----

// A number of nodes that a graph can have.
// CHECK-LABEL: func.func @spread(
// CHECK-SAME:    %{{.*}}: tensor<?xi64>, %{{.*}}: tensor<?x8xf32>, %[[N:.*]]: index)
// CHECK-DAG:     mp.check %[[N]] in %c0{{.*}} to %c2147483647{{.*}}, "{{.*}}'mp.spread': number of nodes"
// CHECK:         mp.spread
func.func @spread(%o: tensor<?xi64>, %x: tensor<?x8xf32>, %n: index) -> tensor<?x8xf32> {
  %s = mp.spread %o %x to %n : (tensor<?xi64>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return %s : tensor<?x8xf32>
}

// Parts of what a cast hides the size of: behind checks that fail wherever they run nothing is left
// that is not valid.
// CHECK-LABEL: func.func @beyond
// CHECK:         mp.check %c1000000000 in %c0 to
// CHECK-NOT:     = tensor.extract_slice
// CHECK:         %[[ROW:.*]] = tensor.empty() : tensor<1x4xf32>
// CHECK-NOT:     = tensor.insert_slice
// CHECK:         return %[[ROW]], %{{.*}}
func.func @beyond(%h: tensor<13x4xf32>, %row: tensor<20x4xf32>) -> (tensor<1x4xf32>, tensor<?x4xf32>) {
  %all = tensor.cast %h : tensor<13x4xf32> to tensor<?x4xf32>
  %part = tensor.extract_slice %all[1000000000, 0] [1, 4] [1, 1] : tensor<?x4xf32> to tensor<1x4xf32>
  %new = tensor.insert_slice %row into %all[0, 0] [20, 4] [1, 1] : tensor<20x4xf32> into tensor<?x4xf32>
  return %part, %new : tensor<1x4xf32>, tensor<?x4xf32>
}
