#!/usr/bin/env node
'use strict'
/**
 * @fileoverview Serves parcels over HTTP. function notOne() {}
 */
import def, { a as b, c } from './mod.js'
import * as ns from "pkg"
import './side-effect'

const { port = 80, ...rest } = require('./config')
const fs = require('fs'), path = require("path").posix

let counter = 0
var one = 1, two = function () { return "function three() {}" }, three
const re = /[/"'`{]+\/(function x\(\) {)/g, half = counter / 2 / one
const text = `a ${ b ? `nested ${ c + '}' } {` : "`" } function fake() {`

/** Adds. */
function add(x, y = { z: 1 }, [p, q] = [1, "}"]) {
  function inner() { return 1 }
  class Local { method() {} }
  return x + y
}

async function* stream(source) { for await (const s of source) yield s }
export default function named() {}
export const arrow = async ({ a, b }, ...more) => {
  return a
}
export const short = x => x * 2
const long = (x) =>
  x
    .map(y => y)
    .filter(Boolean)
const curried = a => b => ({ a, b })
const called = (() => 1)()
const piped = items
  .map(function each(i) { return i })
  .join(',')

/**
 * Holds a load.
 * @deprecated use Carrier
 */
export class Box extends ns.Base(Object) {
  static #count = 0
  static { Box.#count = 1 }
  name = 'box'
  handler = (event) => { this.#hidden(event) }
  static create() { return new Box() }
  constructor(name) { super(); this.name = name }
  get size() { return 1 }
  set size(v) { if (v) { } }
  async load() { await fetch(`/x/${this.name}`) }
  *[Symbol.iterator]() { yield 1 }
  async *items() {}
  #hidden(e) { return e / 2 / 1 }
  'quoted name'() {}
  get() { return 'get' }
  static async() {}
  static
  odd() {}
}

const Anonymous = class extends Box { run() {} }
class Empty {}

const api = {
  list() { return [] },
  async get(id) { return id },
  remove: function (id) { return id },
  update: (id) => id,
  nested: { deep() {} },
  value: add(1, 2),
  ['computed']() {},
  get prop() { return 1 },
  ...rest,
}

function Legacy(name) {
  this.name = name
}
Legacy.prototype.greet = function () {
  return 'hi ' + this.name
}
Legacy.create = function (n) { return new Legacy(n) }
Legacy.prototype = {
  constructor: Legacy,
  wave: function () {},
}

if (counter) {
  function conditional() {}
} else {
  var other = function () {}
}

for (const k of [1]) function looped() {}

try { add(1) } catch (e) { } finally { function cleanup() {} }

;(function () {
  function wrapped() { return 1 }
  var assigned = () => { return 2 }
})()

!function (root, factory) { factory(root) }(this, function (root) {
  function fromFactory() {}
})

label: for (;;) { break label }
counter++;
/regex at the start {/.test(text)
const jsxFree = 1 < 2 && 3 > 2
export { add, Legacy as Old }
export * from './more.js'
exports.handler = async function handler(event) { return event }
module.exports.plain = plain
module.exports = { add, api, extra() { return 1 } }
switch (counter) { case 1: function inCase() {} }
add(function callback() {}, () => {})
const last = function () { return '}' }
