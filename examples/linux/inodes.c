// Inodes in a hash table: each knows the pointer that leads to it, so it leaves without a search.
// expect: main safe

#include <assert.h>
#include <stdlib.h>

#include "list.h"

extern int __VERIFIER_nondet_int(void);

#define HASH_SIZE 2

struct inode {
	unsigned long ino;
	struct hlist_node hash;
};

static struct hlist_head table[HASH_SIZE];

static struct inode *lookup(unsigned long ino)
{
	struct inode *inode;

	hlist_for_each_entry(inode, &table[ino % HASH_SIZE], hash)
		if (inode->ino == ino)
			return inode;
	return NULL;
}

static void iget(unsigned long ino)
{
	struct inode *inode = lookup(ino);

	if (inode)
		return;
	inode = malloc(sizeof(*inode));
	if (!inode)
		return;
	inode->ino = ino;
	hlist_add_head(&inode->hash, &table[ino % HASH_SIZE]);
}

static void evict(unsigned long ino)
{
	struct inode *inode = lookup(ino);

	if (inode) {
		hlist_del_init(&inode->hash);
		free(inode);
	}
}

int main(void)
{
	int i;

	while (__VERIFIER_nondet_int()) {
		unsigned long ino = __VERIFIER_nondet_int() ? 4 : 7;

		if (__VERIFIER_nondet_int())
			iget(ino);
		else
			evict(ino);
	}
	for (i = 0; i < HASH_SIZE; i++) {
		struct inode *inode;
		struct hlist_node *next;

		hlist_for_each_entry_safe(inode, next, &table[i], hash) {
			hlist_del_init(&inode->hash);
			free(inode);
		}
		assert(hlist_empty(&table[i]));
	}
	return 0;
}
