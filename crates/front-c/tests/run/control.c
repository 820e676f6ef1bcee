int trace;
int note(int x) {
    trace = trace * 3 + x;
    return x;
}
int classify(int x) {
    switch (x) {
    case 1:
    case 2:
        note(1);
    case 3:
        note(2);
        break;
    default:
        note(3);
    case 7 ... 9:
        note(4);
    }
    return trace % 7;
}
int loops(int n) {
    int s = 0;
    for (int i = 0; i < n; i++) {
        if (i % 3 == 1)
            continue;
        int j = i;
        do {
            s += j;
            if (s > 50)
                goto out;
        } while (j-- > 2);
        while (1) {
            if (s % 2)
                break;
            s++;
        }
    }
out:
    return s;
}
int logic(int a, int b) {
    int r = (note(a) && note(b)) * 4;
    r = r + (note(a) || note(b)) * 2;
    r = r + !note(b);
    a > b ? note(1) : note(2);
    a &&note(1);
    return r + (a ? b ? 5 : 6 : 7);
}
int duff(int n) {
    int k = 0, rounds = (n + 3) / 4;
    switch (n % 4) {
    case 0:
        do {
            k++;
        case 3:
            k += 2;
        case 2:
            k += 3;
        case 1:
            k += 4;
        } while (--rounds > 0);
    }
    return k;
}
int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
int stat(void) {
    static int calls = 10;
    {
        static int calls;
        calls += 2;
        trace += calls;
    }
    return ++calls;
}
int main(void) {
    int sum = 0, i;
    for (i = 0; i < 11; ++i)
        sum += classify(i);
    sum = sum * 5 + loops(4) + loops(9);
    sum = sum * 3 + logic(0, 1);
    sum = sum + logic(1, 0);
    sum = sum + logic(2, 3);
    sum += duff(1) + duff(6) * 2 + duff(8) * 3;
    sum += fib(7) + stat();
    sum += stat();
    sum += trace;
    return (unsigned)sum % 251;
}
