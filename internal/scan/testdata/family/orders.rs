#!/usr/bin/env run-cargo-script
//! Orders and what happens to them.
//!
//! Never talks to the payment service.

#![allow(dead_code)]

use std::collections::{self, hash_map::{Entry as E, HashMap}, BTreeMap};
use std::fmt;
use crate::store::*;

mod store;

/// How many orders one page shows.
pub const PAGE_SIZE: usize = 50;
static BANNER: &str = r#"fn fake() { "quoted" }"#;
const BRACE: char = '{';
const BYTES: &[u8] = br"\{";

/* a comment /* nested */ fn no() {} */

/// A book of orders.
#[derive(Debug, Clone)]
#[must_use]
pub struct Orders<'a, T: Ord + 'a = (), const N: usize = { 1 + 1 }>
where
    T: fmt::Debug,
{
    name: &'a str,
    items: [T; N],
}

pub struct Id(pub u64);

struct Unit;

union Bits { f: f32, u: u32 }

/// What can go wrong.
#[derive(Debug, thiserror::Error)]
pub enum OrderError {
    /// It is not there.
    #[error("order {0} not found")]
    NotFound(u64),
    #[error("closed")]
    Closed { at: u64, by: String },
    Other = 3,
}

/// Anything that keeps orders.
pub trait Store: Send + fmt::Debug {
    type Key;
    const LIMIT: usize = 10;
    fn get(&self, key: Self::Key) -> Option<u64>;
    /// Counts them.
    fn len(&self) -> usize { 0 }
}

impl<'a, T: Ord + fmt::Debug, const N: usize> Orders<'a, T, N> {
    /// Makes an empty book.
    #[inline]
    pub fn new(name: &'a str) -> Self {
        let home = std::env::var("ORDERS_HOME").unwrap_or_else(|_| "/var/orders".to_string());
        let _ = option_env!("ORDERS_BUILD");
        if home.is_empty() { std::process::exit(2) }
        Self::load::<Vec<_>>(name) // TODO: do not load
    }

    #[deprecated(since = "1.0", note = "use get")]
    pub(crate) async unsafe fn find<F>(&self, r#type: F) -> Result<u64, OrderError>
    where
        F: Fn(u64) -> bool,
    {
        self.items.iter().map(|x| x).count();
        Err(OrderError::NotFound(1))
    }
}

impl<'a, T, const N: usize> Store for Orders<'a, T, N> where T: Ord + fmt::Debug {
    type Key = u64;
    fn get(&self, key: u64) -> Option<u64> { Some(key) }
}

impl std::error::Error for Id {}

macro_rules! order {
    ($x:expr) => { fn made() { $x } };
}

#[macro_export]
macro_rules! orders { () => {}; }

#[derive(Parser)]
#[command(name = "orders")]
struct Cli {
    /// Orders on a page.
    #[arg(short, long, default_value = "50")]
    page_size: usize,
    #[arg(long = "colour", help = "when to use colours")]
    color: Option<HashMap<String, u8>>,
    #[command(subcommand)]
    command: Commands,
}

#[derive(Subcommand)]
enum Commands {
    /// Lists orders.
    ListAll,
    #[command(name = "rm", about = "Removes an order")]
    Remove {
        #[arg(long)]
        force: bool,
    },
}

extern "C" {
    fn c_call(x: i32) -> i32;
}

fn routes() -> Router {
    Router::new()
        .route("/orders", get(list).post(create))
        .route("/orders/:id", delete(handlers::remove))
}

#[get("/health")]
async fn health() -> impl Responder { "ok" }

fn main() {
    let lifetime: &'static str = "x";
    Command::new("clap").about("not one");
    println!("{}", lifetime);
    routes().serve();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn makes_orders() { assert_eq!(Orders::<u8, 1>::new("x").len(), 0); }

    #[tokio::test(flavor = "multi_thread")]
    async fn finds_orders() {}
}
