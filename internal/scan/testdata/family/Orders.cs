// Copyright someone.
using System;
using static System.Math;
using Json = System.Text.Json.JsonSerializer;

[assembly: System.Reflection.AssemblyTitle("orders")]

namespace Example.Shop;

/// <summary>
/// Takes orders, see <see cref="T:Example.Store"/>.
/// </summary>
/// <remarks>more</remarks>
[ApiController]
[Route("api/[controller]")]
public sealed partial class OrdersController<T> : Base<T>, IDisposable, Outer.IListener<T>
    where T : class, new()
{
    public const int PageSize = 50, MaxSize = 100;
    private static readonly string Raw = """
        class Fake { void No() { } "quoted" }
        """;
    private readonly string path = @"c:\orders\", quoted = @"a ""b"" {";
    private string text = $"{Call("}")} {{literal}} {1:N2}";

    /// <summary>Where orders are kept.</summary>
    public string Home { get; set; } = Environment.GetEnvironmentVariable("ORDERS_HOME") ?? "/var/orders";

    [Required]
    public (int Count, string Name) Pair { get; init; }

    public int this[int index] => index;

    public event EventHandler<EventArgs> Changed;

    public OrdersController(string home) : base(home) => Init();

    ~OrdersController() { Dispose(); }

    /// <summary>Finds <c>one</c> order.</summary>
    /// <param name="id">its number</param>
    [Obsolete("use All")]
    [HttpGet("{id}")]
    public async Task<ActionResult<Order?>> Find([FromRoute] int id, params string[] more)
    {
#if DEBUG
        if (id < 0) {
#else
        if (id <= 0) {
#endif
            Environment.Exit(2);
        }
        return await store.Load<Order>(id).ConfigureAwait(false); // TODO cache
    }

    public (int, string) Tuple() => (1, "x");

    void IDisposable.Dispose() { GC.SuppressFinalize(this); }

    public static OrdersController<T> operator +(OrdersController<T> a, int b) => a;

    public static implicit operator string(OrdersController<T> a) => a.ToString();

    protected internal virtual void Hook<TKey>(Func<TKey, bool> match) where TKey : notnull { match(default!); }

    private enum State : byte
    {
        Open = 1,
        /// <summary>No longer changes.</summary>
        Closed,
    }

    public record struct Point(int X, int Y);
}

public record Created(string Id, DateTime At) : IEvent
{
    public static Created Of(string id) => new(id, DateTime.Now);
}

public interface IEvent { string Id { get; } void Fire(); }

public delegate void Handler<in TArg>(TArg arg);

/// <summary>Thrown where an order is not there.</summary>
public class NotFoundException : Exception { }

public class OrdersTests
{
    [Fact]
    public void ListsOrders() { Assert.NotNull(new OrdersController<object>("x")); }
}
