// As machine-mailbox, but the receiver may forget a letter.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct letter {
  int stamp;
  struct letter *next;
};

struct letter *box;
struct letter *read;
int sender = 1;
int receiver = 1;

static void send(void) {
  static struct letter *mine;
  switch (sender++) {
  case 1:
    mine = malloc(sizeof *mine);
    mine->next = NULL;
    return;
  case 2:
    mine->stamp = 1;
    return;
  case 3:
    mine->next = box;
    box = mine;
    sender = 1;
    return;
  }
}

static void receive(void) {
  static struct letter *got;
  switch (receiver++) {
  case 1:
    if (!box)
      receiver = 1;
    return;
  case 2:
    got = box;
    box = got->next;
    return;
  case 3:
    if (__VERIFIER_nondet_int()) {
      got->next = read;
      read = got;
    }
    receiver = 1;
    return;
  }
}

int main(void) {
  while (sender != 1 || receiver != 1 || box || __VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int())
      send();
    else
      receive();
  }
  while (read) {
    struct letter *next = read->next;
    free(read);
    read = next;
  }
  return 0; // BUG
}
