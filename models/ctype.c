/* <ctype.h>, in the locale "C".
   C speaks of the values of unsigned char and of -1 (EOF). The libraries of Linux have tables from
   -128 on, for those who pass a char; what they answer there is left open. Answers are 0 or 1: where
   the program looks at more than the truth, Trellis takes any number of this truth. */

static int model_open(int c) {
  return c < -1;
}

static int model_is_upper(int c) { return c >= 'A' && c <= 'Z'; }
static int model_is_lower(int c) { return c >= 'a' && c <= 'z'; }
static int model_is_digit(int c) { return c >= '0' && c <= '9'; }
static int model_is_graph(int c) { return c > ' ' && c < 127; }

/*@ requires -128 <= c && c <= 255; */
int isupper(int c) {
  if (model_open(c)) return __VERIFIER_nondet_int();
  return model_is_upper(c);
}

/*@ requires -128 <= c && c <= 255; */
int islower(int c) {
  if (model_open(c)) return __VERIFIER_nondet_int();
  return model_is_lower(c);
}

/*@ requires -128 <= c && c <= 255; */
int isalpha(int c) {
  if (model_open(c)) return __VERIFIER_nondet_int();
  return (model_is_upper(c) || model_is_lower(c));
}

/*@ requires -128 <= c && c <= 255; */
int isdigit(int c) {
  if (model_open(c)) return __VERIFIER_nondet_int();
  return model_is_digit(c);
}

/*@ requires -128 <= c && c <= 255; */
int isxdigit(int c) {
  if (model_open(c)) return __VERIFIER_nondet_int();
  return (model_is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'));
}

/*@ requires -128 <= c && c <= 255; */
int isalnum(int c) {
  if (model_open(c)) return __VERIFIER_nondet_int();
  return (model_is_upper(c) || model_is_lower(c) || model_is_digit(c));
}

/*@ requires -128 <= c && c <= 255; */
int isspace(int c) {
  if (model_open(c)) return __VERIFIER_nondet_int();
  return c == ' ' || (c >= 9 && c <= 13);
}

/*@ requires -128 <= c && c <= 255; */
int isblank(int c) {
  if (model_open(c)) return __VERIFIER_nondet_int();
  return c == ' ' || c == 9;
}

/*@ requires -128 <= c && c <= 255; */
int iscntrl(int c) {
  if (model_open(c)) return __VERIFIER_nondet_int();
  return ((c >= 0 && c < 32) || c == 127);
}

/*@ requires -128 <= c && c <= 255; */
int isprint(int c) {
  if (model_open(c)) return __VERIFIER_nondet_int();
  return c == ' ' || model_is_graph(c);
}

/*@ requires -128 <= c && c <= 255; */
int isgraph(int c) {
  if (model_open(c)) return __VERIFIER_nondet_int();
  return model_is_graph(c);
}

/*@ requires -128 <= c && c <= 255; */
int ispunct(int c) {
  if (model_open(c)) return __VERIFIER_nondet_int();
  return (model_is_graph(c) && !model_is_upper(c) && !model_is_lower(c) &&
          !model_is_digit(c));
}

/*@ requires -128 <= c && c <= 255; */
int tolower(int c) {
  if (model_open(c)) return __VERIFIER_nondet_int();
  return model_is_upper(c) ? c + ('a' - 'A') : c;
}

/*@ requires -128 <= c && c <= 255; */
int toupper(int c) {
  if (model_open(c)) return __VERIFIER_nondet_int();
  return model_is_lower(c) ? c - ('a' - 'A') : c;
}
