/*===- machine.c - The limits of the machine ------------------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Multiply-adds per second, memory bandwidth, and a gather of rows: what the
|* tables of benchmarks/ are held against. Compiled by the harness for the
|* machine it runs on; uses nothing of Clique's.
|*
\*===----------------------------------------------------------------------===*/
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#ifdef __AVX512F__
#define VECTOR_BYTES 64
#define VECTOR_REGISTER "v" /* any of 32 */
#else
#define VECTOR_BYTES 32
#define VECTOR_REGISTER "x"
#endif
#define LANES (VECTOR_BYTES / 4)
#define MAX_THREADS 256
typedef float vec __attribute__((vector_size(VECTOR_BYTES)));
typedef float unaligned_vec
    __attribute__((vector_size(VECTOR_BYTES), aligned(4), may_alias));

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int machine_vector_bits(void) { return 8 * VECTOR_BYTES; }

/*===--- Threads that start together --------------------------------------===*/

struct job {
  void (*work)(struct job *);
  pthread_barrier_t *start;
  int index, threads;
  double seconds;    /* how long to work */
  double amount;     /* what was done */
  double begin, end; /* when */
  const void *arguments;
};

static void *run_job(void *argument) {
  struct job *job = argument;
  pthread_barrier_wait(job->start);
  job->begin = now();
  job->work(job);
  job->end = now();
  return NULL;
}

/* Returns the seconds from the first start to the last end. */
static double run_together(void (*work)(struct job *), int threads,
                           double seconds, const void *arguments,
                           double *amount) {
  static struct job jobs[MAX_THREADS];
  pthread_t ids[MAX_THREADS];
  pthread_barrier_t start;
  if (threads > MAX_THREADS)
    threads = MAX_THREADS;
  pthread_barrier_init(&start, NULL, (unsigned)threads);
  for (int t = 0; t < threads; ++t) {
    jobs[t] =
        (struct job){work, &start, t, threads, seconds, 0, 0, 0, arguments};
    pthread_create(&ids[t], NULL, run_job, &jobs[t]);
  }
  for (int t = 0; t < threads; ++t)
    pthread_join(ids[t], NULL);
  pthread_barrier_destroy(&start);
  double begin = jobs[0].begin, end = jobs[0].end;
  *amount = 0;
  for (int t = 0; t < threads; ++t) {
    begin = jobs[t].begin < begin ? jobs[t].begin : begin;
    end = jobs[t].end > end ? jobs[t].end : end;
    *amount += jobs[t].amount;
  }
  return end - begin;
}

/*===--- Multiply-adds ----------------------------------------------------===*/

/* Enough independent sums to hide the latency of two units, few enough for 16
   registers. */
#define SUMS 12
#define FOR_SUMS(M)                                                            \
  M(0) M(1) M(2) M(3) M(4) M(5) M(6) M(7) M(8) M(9) M(10) M(11)
#define DECLARE(k) vec sum##k = (vec){0} + (float)k;
#define STEP(k) sum##k = sum##k * factor + term;
/* The compiler must take the value for changed, and so keep the loop. */
#define KEEP(k) __asm__ volatile("" : "+" VECTOR_REGISTER(sum##k));

static void multiply_add(struct job *job) {
  FOR_SUMS(DECLARE)
  const vec factor = (vec){0} + 0.999f, term = (vec){0} + 0.001f;
  const double end = now() + job->seconds;
  do {
    for (int repeat = 0; repeat < 20000; ++repeat) {
      FOR_SUMS(STEP)
      FOR_SUMS(KEEP)
    }
    job->amount += 20000.0 * SUMS * LANES * 2;
  } while (now() < end);
}

/* Floating-point operations per second of `threads` threads together. */
double machine_fma(int threads, double seconds) {
  double amount;
  const double taken =
      run_together(multiply_add, threads, seconds, NULL, &amount);
  return amount / taken;
}

#ifdef __AVX512BF16__
#define DOT_PAIRS(k)                                                           \
  __asm__ volatile("vdpbf16ps %2, %1, %0" : "+v"(sum##k) : "v"(x), "v"(y));

static void dot_pairs(struct job *job) {
  FOR_SUMS(DECLARE)
  const vec x = {0}, y = {0};
  const double end = now() + job->seconds;
  do {
    for (int repeat = 0; repeat < 20000; ++repeat) {
      FOR_SUMS(DOT_PAIRS)
    }
    job->amount += 20000.0 * SUMS * LANES * 4;
  } while (now() < end);
}

/* The same of products of pairs of bf16; 0 where the machine has none. */
double machine_bf16(int threads, double seconds) {
  double amount;
  const double taken = run_together(dot_pairs, threads, seconds, NULL, &amount);
  return amount / taken;
}
#else
double machine_bf16(int threads, double seconds) {
  (void)threads, (void)seconds;
  return 0;
}
#endif

/*===--- Bandwidth --------------------------------------------------------===*/

struct triad {
  float *a;
  const float *b, *c;
  int64_t size;
};

static void run_triad(struct job *job) {
  const struct triad *t = job->arguments;
  const int64_t begin = t->size * job->index / job->threads;
  const int64_t end = t->size * (job->index + 1) / job->threads;
  for (int64_t k = begin; k < end; ++k)
    t->a[k] = t->b[k] + 3.0f * t->c[k];
}

static void run_copy(struct job *job) {
  const struct triad *t = job->arguments;
  const int64_t begin = t->size * job->index / job->threads;
  const int64_t end = t->size * (job->index + 1) / job->threads;
  for (int64_t k = begin; k < end; ++k)
    t->a[k] = t->b[k];
}

/* Seconds of a = b + 3 c, or of a = b if c is NULL. */
double machine_stream(float *a, const float *b, const float *c, int64_t size,
                      int threads) {
  const struct triad arguments = {a, b, c, size};
  double amount;
  return run_together(c ? run_triad : run_copy, threads, 0, &arguments,
                      &amount);
}

/*===--- Gather -----------------------------------------------------------===*/

struct gather {
  const int32_t *rows;
  int64_t count;
  const float *table;
  int64_t width; /* floats of a row */
  /* How many rows ahead to prefetch into the second cache; 0: not at all; below
     0: as many into the first. */
  int64_t ahead;
  int64_t *next; /* the first row that no thread has taken */
};

/* Rows that a thread takes at once: one that is interrupted delays no other. */
#define TAKEN 4096

static inline __attribute__((always_inline)) void
prefetch(const float *row, int64_t width, int into_first) {
  for (int64_t k = 0; k < width; k += 16)
    if (into_first)
      __builtin_prefetch(row + k, 0, 3);
    else
      __builtin_prefetch(row + k, 0, 2);
}

/* Reads rows and adds them up: the least that any sum over them has to do. */
static inline __attribute__((always_inline)) void
gather_width(const struct gather *g, int64_t begin, int64_t end,
             int64_t width) {
  vec sums[4] = {{0}, {0}, {0}, {0}};
  float tail = 0;
  const int into_first = g->ahead < 0;
  const int64_t ahead = into_first ? -g->ahead : g->ahead;
  for (int64_t e = begin; e < end; ++e) {
    const float *row = g->table + g->rows[e] * width;
    if (ahead && e + ahead < g->count)
      prefetch(g->table + g->rows[e + ahead] * width, width, into_first);
    int64_t k = 0;
    for (; k + 4 * LANES <= width; k += 4 * LANES)
      for (int part = 0; part < 4; ++part)
        sums[part] += *(const unaligned_vec *)(row + k + part * LANES);
    for (; k + LANES <= width; k += LANES)
      sums[0] += *(const unaligned_vec *)(row + k);
    for (; k < width; ++k)
      tail += row[k];
  }
  sums[0] += sums[1] + sums[2] + sums[3];
  __asm__ volatile("" : : VECTOR_REGISTER(sums[0]), "x"(tail));
}

/* Unrolled for the widths of the benchmarks' cases. */
static void gather_rows(const struct gather *g, int64_t begin, int64_t end) {
  switch (g->width) {
  case 16:
    return gather_width(g, begin, end, 16);
  case 64:
    return gather_width(g, begin, end, 64);
  case 128:
    return gather_width(g, begin, end, 128);
  case 256:
    return gather_width(g, begin, end, 256);
  default:
    return gather_width(g, begin, end, g->width);
  }
}

static void run_gather(struct job *job) {
  const struct gather *g = job->arguments;
  for (;;) {
    const int64_t begin = __atomic_fetch_add(g->next, TAKEN, __ATOMIC_RELAXED);
    if (begin >= g->count)
      return;
    const int64_t end = begin + TAKEN;
    gather_rows(g, begin, end < g->count ? end : g->count);
  }
}

/* Seconds to read rows[0 .. count) of a table. */
double machine_gather(const int32_t *rows, int64_t count, const float *table,
                      int64_t width, int64_t ahead, int threads) {
  int64_t next = 0;
  const struct gather arguments = {rows, count, table, width, ahead, &next};
  double amount;
  return run_together(run_gather, threads, 0, &arguments, &amount);
}
