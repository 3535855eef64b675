/* Copyright someone; not a doc comment. */
package com.example.shop;

import static java.util.Objects.requireNonNull;
import java.util.List;
import java.util.Map;
import org.springframework.web.bind.annotation.*;

/**
 * Takes orders and hands them to the {@link Store}. Never talks to the payment service itself.
 *
 * <p>Thread-safe: {@code synchronized} where it must be.
 *
 * @author nobody
 */
@RestController
@RequestMapping(
    path = "/orders",
    produces = "application/json")
public class Orders<T extends Comparable<T>> extends Base<T, Map<String, List<T>>> implements Runnable, Store.Listener {
  /** How many orders one page shows. */
  public static final int PAGE_SIZE = 50;
  static final String BANNER = """
      class Fake { void method() { } }
      "quoted" \""" still text
      """;
  private final char brace = '{';
  private final Map<String, List<T>> open = new java.util.HashMap<>() {{ put("}", null); }};

  static {
    System.setProperty("x", "{");
  }

  /** Makes an empty book of orders. */
  public Orders() {
    this(System.getenv("ORDERS_HOME"));
  }

  Orders(String home) {
    requireNonNull(home); // TODO(ann): check that it exists
  }

  @Override
  public void run() {
    for (int i = 0; i < 3; i++) { store.save(i).then(this::done); }
    String host = System.getenv().getOrDefault("ORDERS_HOST", "localhost");
    if (host.isEmpty()) {
      System.exit(3);
    }
  }

  /**
   * Finds one order.
   * @param id its number
   * @deprecated use {@link #find(long, boolean)}
   */
  @Deprecated
  @GetMapping({"/{id}", "/by-id/{id}"})
  public <K extends Comparable<? super K>> Map<K, List<? extends T>>
      find(@PathVariable("id") long id,
           int... more)
      throws java.io.IOException, NotFound {
    return null;
  }

  @RequestMapping(value = "/all", method = RequestMethod.POST)
  List<T> all(List<T>[] in)[] { return null; }

  abstract static class Shape { abstract double area(); }

  sealed interface Event permits Created, Closed {
    int VERSION = 2;
    default String name() { return "event"; }
  }

  record Created(String id, List<String> tags) implements Event {
    Created {
      requireNonNull(id);
    }
    static Created of(String id) { return new Created(id, List.of()); }
  }

  non-sealed static class Closed implements Event {}

  /** States of an order. */
  enum State {
    OPEN("open") { @Override String label() { return "Open"; } },
    /** No longer changes. */
    CLOSED("closed"),
    ;
    private final String key;
    State(String key) { this.key = key; }
    String label() { return key; }
  }

  @interface Audited { String value() default ""; }

  /** Thrown where an order is not there. It carries the number. */
  static class NotFound extends RuntimeException {}

  public static void main(String[] args) { new Orders<>().run(); }
}

@Command(name = "orders", description = "Works with orders")
class OrdersCommand {
  @Option(names = {"-p", "--page-size"}, defaultValue = "50", description = "orders on a page")
  private int pageSize;

  // FIXME split this
  @Test
  void listsOrders() { assertThat(new Orders<>().all(null)).isNull(); }
}
