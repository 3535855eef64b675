import React, { type FC, memo } from 'react'
import type { Props } from './types'

type Tree<T> = {
  value: T
  children?: Tree<T>[]
} | null

type Fn = (a: number, b: { c: string }) => void
type Mapped = { readonly [K in keyof Props]?: Props[K] extends infer U ? U : never }
type Multi =
  | 'one'
  | { kind: 'two'; f(): void }

export interface Store<T extends object = {}> extends Base<T>, Other {
  readonly items: T[]
  get(id: string): T | undefined
  set?(id: string, value: T): void;
  new (x: number): Store<T>
  (call: string): void
  [key: string]: unknown
  method<U>(this: Store<T>, cb: (u: U) => { ok: boolean }): Promise<Map<string, U>>
}

export enum Color { Red = 'red', Green = 1 << 2, Blue }
declare const enum Flags { None = 0 }
declare global { interface Window { x: number } }
declare module 'untyped' { export function load(path: string): any }
export namespace Outer.Inner { export const v = 1; export function f() {} }

export function over(a: string): string
export function over(a: number): number
export function over(a: any): any { return a }

export abstract class Repo<T, K extends keyof T = keyof T> extends Base<T>
  implements Store<T>, Closer {
  private readonly items: Map<K, T> = new Map<K, T>()
  static defaults: { a: number } = { a: 1 }
  declare ghost: string
  optional?: () => void
  constructor(private db: Db, public name = 'x') { super() }
  abstract find(id: K): T
  protected async load<U>(this: Repo<T>, f: (t: T) => U): Promise<{ u: U }> {
    return { u: f(this.items.get('a' as K)!) }
  }
  @Input() decorated: string
  @HostListener('click', ['$event'])
  onClick(e: Event): void { }
  handler = <U,>(u: U): U => { return u }
  get value(): { a: number } { return { a: 1 } }
  overload(a: string): void
  overload(a: any) { }
}

@Component({ selector: 'x', template: '<div class="{}">' })
export class Decorated {}

const generic = <T extends object>(x: T): T => x
const typed: (a: number) => string = (a) => `${a}`
const map = new Map<string, () => void>()
const cast = map as Map<string, number>
const list: Array<{ a: string }> = []

export const App: FC<Props> = ({ title, children }) => {
  const n = 1 < 2 ? <b>yes</b> : <i>no</i>
  return (
    <div className="app" onClick={() => { alert("}") }} {...rest}>
      It's {title} - don't {/* comment } */} close {"{"}
      <Child render={() => <span>{n}</span>} />
      <>
        fragment's text
      </>
      {items.map(i => <Item key={i} {...i}>{i > 1 && <br />}</Item>)}
    </div>
  )
}

export const Memo = memo(function Memo() { return <p>It's</p> })

function After() {
  return <Foo.Bar<string> x={1}>text</Foo.Bar>
}

const Wrapped = React.forwardRef<HTMLDivElement, Props>((props, ref) => (
  <div ref={ref} />
))

export default class extends React.Component<Props> {
  render() { return null }
}
