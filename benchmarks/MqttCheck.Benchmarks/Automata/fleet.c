/* The yardstick of the client-fleet simulator: the same model as a plain C event loop (4-ary heap of structs, quantile tables, one xoshiro256++ stream per client). It draws the same
   numbers in the same order, so its checksum must be equal to that of the C# simulator.
   Arguments: clients replications sequences seed. Reads the quantile table (floats) from standard input: kind x active x subscribers x recent activity x quantiles.
   Prints: exchanges, processor seconds, checksum, mean active. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CONNECT, DISCONNECT, PUBLISH, SUBSCRIBE, UNSUBSCRIBE, KINDS };
enum { WARM_UP, COUNTED, COOL_DOWN, RESET };
enum { NONE, LEAVE, CLEAN_CONNECT, LAST_DISCONNECT };
enum { TOPICS = 100, WORDS = 2, LENGTH = 10, QUANTILES = 256, ACTIVE_CELLS = 20, SUBSCRIBER_CELLS = 8, RECENT_CELLS = 7, LONGEST_ACTIVE = 128, LONGEST_SUBSCRIBERS = 32 };

static const double WAIT_MIN = 0, WAIT_MAX = 500, W_PUBLISH = 5, W_DISCONNECT = 1, W_SUBSCRIBE = 3, W_UNSUBSCRIBE = 2, RECENT_MS = 40, RECENT_CLIENTS = 50;
static const int MIN_PAYLOAD = 12, MAX_PAYLOAD = 80;
static const int ACTIVE_EDGES[] = { 1, 2, 3, 4, 5, 6, 8, 10, 13, 17, 22, 28, 36, 46, 57, 68, 80, 92 };
static const int SUBSCRIBER_EDGES[] = { 0, 1, 2, 3, 5, 8, 12, 17 };
static const double RECENT_EDGES[] = { .03, .08, .14, .2, .28, .4 };

typedef struct { uint64_t s[4]; } stream;
typedef struct {
  stream random;
  double started, worst;
  int sequence, subscriptions, topic, subscribers;
  short step, length;
  uint8_t connected, reset, kind, phase, clean, open;
  uint64_t subscribed[WORDS];
} client;
typedef struct { double time; int32_t client; } event;

static uint64_t rotl(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
static inline uint64_t next(stream *r) {
  uint64_t *s = r->s, result = rotl(s[0] + s[3], 23) + s[0], t = s[1] << 17;
  s[2] ^= s[0]; s[3] ^= s[1]; s[1] ^= s[2]; s[0] ^= s[3]; s[2] ^= t; s[3] = rotl(s[3], 45);
  return result;
}
static inline double next_double(stream *r) { return (double)(next(r) >> 11) * 0x1p-53; }
static inline int next_int(stream *r, uint32_t bound) {
  uint64_t product = (next(r) >> 32) * bound;
  if ((uint32_t)product < bound) {
    uint32_t threshold = -bound % bound;
    while ((uint32_t)product < threshold) product = (next(r) >> 32) * bound;
  }
  return (int)(product >> 32);
}
static uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}
static stream stream_for(uint64_t seed, uint64_t a, uint64_t b) {
  const uint64_t golden = 0x9E3779B97F4A7C15u, other = 0xD1B54A32D192ED03u;
  uint64_t key = mix(seed + golden);
  key = mix(key ^ mix(a + other)) + golden;
  key = mix(key ^ mix(b + other)) + golden;
  stream r;
  r.s[0] = mix(key += golden); r.s[1] = mix(key += golden); r.s[2] = mix(key += golden); r.s[3] = mix(key + golden) | 1;
  return r;
}

static int n, sequences;
static client *clients;
static event *heap;
static float *table;
static int online_subscribers[TOPICS], active, online;
static uint8_t *is_online;
/* Both change with the number of clients online only: per completion, and what the others add at most. */
static double recent_per_completion, recent_of_others;

static void scale_recent(void) {
  recent_per_completion = online == 0 ? 0 : 1.0 / online;
  recent_of_others = online == 0 ? 0 : sqrt(sqrt((double)online / RECENT_CLIENTS)) - 1;
}
static double *recent;
static uint32_t recent_head, recent_count, recent_mask;
static uint8_t active_cell[LONGEST_ACTIVE], subscriber_cell[LONGEST_SUBSCRIBERS];
static uint64_t exchanges, counted, counted_active;

static void sink(int at, event e) {
  for (;;) {
    int child = 4 * at + 1;
    if (child >= n) break;
    int last = child + 4 < n ? child + 4 : n, best = child;
    for (int other = child + 1; other < last; other++)
      if (heap[other].time < heap[best].time || (heap[other].time == heap[best].time && heap[other].client < heap[best].client)) best = other;
    if (!(heap[best].time < e.time || (heap[best].time == e.time && heap[best].client < e.client))) break;
    heap[at] = heap[best];
    at = best;
  }
  heap[at] = e;
}

static int nth(const uint64_t *bits, int index, int wanted) {
  for (int word = 0;; word++) {
    uint64_t candidates = wanted ? bits[word] : ~bits[word];
    int count = __builtin_popcountll(candidates);
    if (index >= count) { index -= count; continue; }
    for (; index > 0; index--) candidates &= candidates - 1;
    return (word << 6) + __builtin_ctzll(candidates);
  }
}

static void count_topics(const client *c, int change) {
  if (c->subscriptions == 0) return;
  for (int word = 0; word < WORDS; word++)
    for (uint64_t bits = c->subscribed[word]; bits; bits &= bits - 1) online_subscribers[(word << 6) + __builtin_ctzll(bits)] += change;
}

static void start_sequence(client *c) { c->reset = NONE; c->sequence++; c->step = 0; c->length = LENGTH; }
static double wait_time(client *c) { return c->reset == NONE ? WAIT_MIN + (WAIT_MAX - WAIT_MIN) * next_double(&c->random) : 0; }
static void publish(client *c) {
  c->kind = PUBLISH;
  c->topic = next_int(&c->random, TOPICS);
  next_int(&c->random, MAX_PAYLOAD - MIN_PAYLOAD + 1);
}

static void choose(client *c) {
  c->topic = -1;
  c->clean = c->reset != NONE;
  if (c->clean) { c->phase = RESET; c->kind = c->reset == CLEAN_CONNECT ? CONNECT : DISCONNECT; return; }
  c->phase = c->sequence == 0 ? WARM_UP : c->sequence <= sequences ? COUNTED : COOL_DOWN;
  if (!c->connected) { c->kind = CONNECT; return; }
  double sub = c->subscriptions < TOPICS ? W_SUBSCRIBE : 0, unsub = c->subscriptions > 0 ? W_UNSUBSCRIBE : 0;
  double u = next_double(&c->random) * (W_PUBLISH + W_DISCONNECT + sub + unsub);
  if ((u -= W_PUBLISH) < 0) { publish(c); return; }
  if ((u -= W_DISCONNECT) < 0) { c->kind = DISCONNECT; return; }
  if (u - sub < 0) { c->kind = SUBSCRIBE; c->topic = nth(c->subscribed, next_int(&c->random, TOPICS - c->subscriptions), 0); return; }
  if (unsub > 0) { c->kind = UNSUBSCRIBE; c->topic = nth(c->subscribed, next_int(&c->random, c->subscriptions), 1); return; }
  publish(c);
}

static double start(int number, client *c, double now) {
  choose(c);
  switch (c->kind) {
    case DISCONNECT: if (is_online[number]) { is_online[number] = 0; online--; scale_recent(); count_topics(c, -1); } break;
    case CONNECT: if (c->clean) { if (is_online[number]) count_topics(c, -1); memset(c->subscribed, 0, sizeof c->subscribed); c->subscriptions = 0; } break;
    case UNSUBSCRIBE: c->subscribed[c->topic >> 6] &= ~(1ull << (c->topic & 63)); c->subscriptions--; if (is_online[number]) online_subscribers[c->topic]--; break;
  }
  c->subscribers = c->topic >= 0 ? online_subscribers[c->topic] : 0;
  active++;
  while (recent_count > 0 && recent[recent_head] <= now - RECENT_MS) { recent_head = (recent_head + 1) & recent_mask; recent_count--; }
  double per_client = recent_count * recent_per_completion;
  double activity = per_client + recent_of_others * per_client / (1 + per_client * per_client);
  exchanges++;
  if (c->phase == COUNTED) { counted++; counted_active += (uint64_t)active; }
  c->started = now;
  c->open = 1;
  int cell = c->kind;
  cell = cell * ACTIVE_CELLS + active_cell[active < LONGEST_ACTIVE ? active : LONGEST_ACTIVE - 1];
  cell = cell * SUBSCRIBER_CELLS + subscriber_cell[c->subscribers < LONGEST_SUBSCRIBERS ? c->subscribers : LONGEST_SUBSCRIBERS - 1];
  int band = 0;
  for (int i = 0; i < RECENT_CELLS - 1; i++) band += activity >= RECENT_EDGES[i];
  const float *q = table + (size_t)(cell * RECENT_CELLS + band) * QUANTILES;
  double p = next_double(&c->random) * QUANTILES - .5;
  if (p < 0) p = 0;
  if (p > QUANTILES - 1) p = QUANTILES - 1;
  int i = (int)p;
  if (i > QUANTILES - 2) i = QUANTILES - 2;
  return now + (q[i] + (p - i) * ((double)q[i + 1] - q[i]));
}

static void remember(double now) {
  if (recent_count > recent_mask) {
    while (recent_count > 0 && recent[recent_head] <= now - RECENT_MS) { recent_head = (recent_head + 1) & recent_mask; recent_count--; }
    if (recent_count > recent_mask) {
      double *grown = malloc(2 * (recent_mask + 1ull) * sizeof *grown);
      for (uint32_t i = 0; i < recent_count; i++) grown[i] = recent[(recent_head + i) & recent_mask];
      free(recent);
      recent = grown; recent_head = 0; recent_mask = 2 * recent_mask + 1;
    }
  }
  recent[(recent_head + recent_count++) & recent_mask] = now;
}

static uint64_t run(uint64_t seed, uint64_t replication, uint64_t checksum) {
  int unfinished = n;
  memset(online_subscribers, 0, sizeof online_subscribers);
  memset(is_online, 0, (size_t)n);
  active = online = 0;
  scale_recent();
  recent_head = recent_count = 0;
  for (int i = 0; i < n; i++) {
    client *c = &clients[i];
    memset(c, 0, sizeof *c);
    c->random = stream_for(seed, replication, (uint64_t)i);
    c->length = (short)next_int(&c->random, LENGTH);
    if (c->length == 0) start_sequence(c);
    heap[i] = (event){ wait_time(c), i };
  }
  for (int i = (n - 2) >> 2; i >= 0; i--) sink(i, heap[i]);
  for (;;) {
    double now = heap[0].time, due;
    int number = heap[0].client;
    client *c = &clients[number];
    if (!c->open) due = start(number, c, now);
    else {
      c->open = 0;
      active--;
      remember(now);
      if (c->phase == COUNTED && now - c->started > c->worst) c->worst = now - c->started;
      switch (c->kind) {
        case CONNECT: c->connected = 1; if (!is_online[number]) { is_online[number] = 1; online++; scale_recent(); count_topics(c, 1); } break;
        case DISCONNECT: c->connected = 0; break;
        case SUBSCRIBE: c->subscribed[c->topic >> 6] |= 1ull << (c->topic & 63); c->subscriptions++; if (is_online[number]) online_subscribers[c->topic]++; break;
      }
      if (c->reset == NONE) {
        if (++c->step >= c->length) {
          if (c->phase == COUNTED) {
            uint64_t bits;
            memcpy(&bits, &c->worst, sizeof bits);
            checksum += mix(bits ^ (uint64_t)number);
            c->worst = 0;
            if (c->sequence == sequences && --unfinished == 0) return checksum;
          }
          c->reset = c->connected ? LEAVE : CLEAN_CONNECT;
        }
      } else if (c->kind == CONNECT) c->reset = LAST_DISCONNECT;
      else if (c->reset == LEAVE) c->reset = CLEAN_CONNECT;
      else start_sequence(c);
      double wait = wait_time(c);
      due = wait > 0 ? now + wait : start(number, c, now);
    }
    sink(0, (event){ due, number });
  }
}

int main(int argc, char **argv) {
  if (argc != 5) return 2;
  n = atoi(argv[1]);
  int replications = atoi(argv[2]);
  sequences = atoi(argv[3]);
  uint64_t seed = strtoull(argv[4], NULL, 10);
  size_t cells = (size_t)KINDS * ACTIVE_CELLS * SUBSCRIBER_CELLS * RECENT_CELLS;
  table = malloc(cells * QUANTILES * sizeof *table);
  clients = malloc((size_t)n * sizeof *clients);
  heap = malloc((size_t)n * sizeof *heap);
  is_online = malloc((size_t)n);
  recent_mask = 255;
  recent = malloc(256 * sizeof *recent);
  if (!table || !clients || !heap || !is_online || !recent || fread(table, QUANTILES * sizeof *table, cells, stdin) != cells) return 3;
  for (int a = 0; a < LONGEST_ACTIVE; a++)
    for (size_t i = 0; i < sizeof ACTIVE_EDGES / sizeof *ACTIVE_EDGES; i++) active_cell[a] += a >= ACTIVE_EDGES[i];
  for (int s = 0; s < LONGEST_SUBSCRIBERS; s++)
    for (size_t i = 1; i < sizeof SUBSCRIBER_EDGES / sizeof *SUBSCRIBER_EDGES; i++) subscriber_cell[s] += s >= SUBSCRIBER_EDGES[i];
  struct timespec a, b;
  uint64_t checksum = 0;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
  for (int replication = 0; replication < replications; replication++) checksum = run(seed, (uint64_t)replication, checksum);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
  printf("%llu %.6f %llu %.9f\n", (unsigned long long)exchanges, (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec), (unsigned long long)checksum,
         (double)counted_active / (double)counted);
  return 0;
}
