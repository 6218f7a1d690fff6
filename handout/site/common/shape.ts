// What a message has to look like. One description of it serves twice: it checks what came in, and its type is the
// message's.

/** Gives back a value that has the shape, and refuses any other; `where` is what the value is called then. */
export type Shape<T> = (value: unknown, where: string) => T;

/** The type of what has a shape. */
export type Of<S> = S extends Shape<infer T> ? T : never;

/** A message is not what it has to be. */
export class Misshapen extends Error {}

function refuse(value: unknown, where: string, wanted: string): never {
  throw new Misshapen(`${where} is ${JSON.stringify(value)?.slice(0, 80)}, and not ${wanted}`);
}

export const number: Shape<number> = (value, where) =>
  typeof value === "number" ? value : refuse(value, where, "a number");

export const text: Shape<string> = (value, where) => typeof value === "string" ? value : refuse(value, where, "a text");

/** One of a few values. */
export function one<const T extends string | number | boolean>(...values: T[]): Shape<T> {
  return (value, where) =>
    values.find((allowed) => allowed === value) ?? refuse(value, where, `of ${values.join(", ")}`);
}

export function list<T>(of: Shape<T>): Shape<T[]> {
  return (value, where) => {
    if (!Array.isArray(value)) return refuse(value, where, "a list");
    for (const [i, each] of value.entries()) of(each, `${where}[${i}]`);
    return value;
  };
}

/** A list of so many values, each of its own shape. */
export function tuple<T extends unknown[]>(...of: { [I in keyof T]: Shape<T[I]> }): Shape<T> {
  return (value, where) => {
    if (!Array.isArray(value) || value.length !== of.length) return refuse(value, where, `a list of ${of.length}`);
    for (const [i, shape] of of.entries()) shape(value[i], `${where}[${i}]`);
    return value as T;
  };
}

/** A list that is not empty, whose first value has a shape of its own. */
export function headed<H, T>(head: Shape<H>, rest: Shape<T>): Shape<[H, ...T[]]> {
  return (value, where) => {
    if (!Array.isArray(value) || value.length === 0) return refuse(value, where, "a list with a head");
    for (const [i, each] of value.entries()) (i === 0 ? head : rest)(each, `${where}[${i}]`);
    return value as [H, ...T[]];
  };
}

/** Any number of members, all of one shape. */
export function record<T>(of: Shape<T>): Shape<Record<string, T>> {
  return (value, where) => {
    for (const [name, member] of members(value, where)) of(member, `${where}.${name}`);
    return value as Record<string, T>;
  };
}

type Shapes = Record<string, Shape<unknown>>;
type Members<S extends Shapes> = { [Name in keyof S]: Of<S[Name]> };

/** These members, perhaps those of `optional`, and no other. */
export function object<R extends Shapes, O extends Shapes = Record<never, never>>(
  required: R,
  optional?: O,
): Shape<Members<R> & Partial<Members<O>>> {
  const known: Shapes = { ...required, ...optional };
  return (value, where) => {
    const given = members(value, where);
    for (const [name, member] of given) {
      if (!Object.hasOwn(known, name)) refuse(value, where, `without a member ${name}`);
      known[name](member, `${where}.${name}`);
    }
    for (const name of Object.keys(required)) {
      if (!given.some(([there]) => there === name)) refuse(value, where, `complete: it lacks ${name}`);
    }
    return value as Members<R> & Partial<Members<O>>;
  };
}

/** These members; what others there are is not looked at. */
export function objectWith<R extends Shapes>(required: R): Shape<Members<R>> {
  return (value, where) => {
    const given = new Map(members(value, where));
    for (const [name, shape] of Object.entries(required)) shape(given.get(name), `${where}.${name}`);
    return value as Members<R>;
  };
}

/** For a member of objectWith(): it may be missing. */
export function perhaps<T>(of: Shape<T>): Shape<T | undefined> {
  return (value, where) => value === undefined ? undefined : of(value, where);
}

/** A value of one of two shapes. */
export function either<A, B>(first: Shape<A>, second: Shape<B>): Shape<A | B> {
  return (value, where) => {
    try {
      return first(value, where);
    } catch (error) {
      if (!(error instanceof Misshapen)) throw error;
      try {
        return second(value, where);
      } catch (other) {
        throw other instanceof Misshapen ? new Misshapen(`${error.message}; ${other.message}`) : other;
      }
    }
  };
}

function members(value: unknown, where: string) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return refuse(value, where, "an object");
  return Object.entries(value);
}
