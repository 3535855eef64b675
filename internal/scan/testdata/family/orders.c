/*
 * Copyright someone.
 */

/* Keeps orders in one file. Nothing else may write to it. */

#include <stdio.h>
#include "orders.h"

#define PAGE_SIZE 50 /* orders on a page */
#define NAME "orders"
/* The larger one of two. */
#define MAX(a, b) \
    ((a) > (b) ? \
     (a) : (b))
#define EMPTY

#if 0
int never(void) {
#endif

typedef unsigned long ulong_t;
typedef int (*compare_fn)(const void *, const void *);
typedef struct order order, *order_ptr;

/* One order. */
struct order {
    int id;
    int (*close)(struct order *self);
    union { int i; float f; } value;
};

typedef struct {
    int n;
} book_t;

enum state { OPEN = 1, CLOSED /* no longer changes */, LOST };

static const char *names[] = { "a{", "b}" };
const int limit = 10;

static int later(int a);

/* Adds an order.
 *
 * Returns its number. */
int
add_order(struct order *o, int (*check)(int))
{
    const char *home = getenv("ORDERS_HOME");
    if (!home) exit(2);
    return check(o->id) + helper.run(o); /* TODO check */
}

#ifdef WIDE
static int width(long n) {
#else
static int width(int n) {
#endif
    if (n) {
        return '{';
    }
    return "\"}"[0];
}

int old_style(a, b)
    int a;
    char *b;
{
    return a;
}

static inline __attribute__((noinline)) struct order *next(struct order *o) { return o; }

void (*pick(int which))(int)
{
    return 0;
}

EXPORT_SYMBOL(add_order);

DEFINE_RUNNER(fast) {
    run_it();
}

static struct option options[] = {
    {"help", no_argument, NULL, 'h'},
    {"page-size", required_argument, NULL, 'p'},
    {NULL, 0, NULL, 0},
};

START_TEST(test_add)
{
    ck_assert(add_order(NULL, NULL));
}
END_TEST

int main(int argc, char **argv)
{
    if (!strcmp(argv[1], "--version")) return 0;
    return add_order(0, 0);
}
