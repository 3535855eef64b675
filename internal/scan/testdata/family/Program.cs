using Microsoft.AspNetCore.Builder;

var app = WebApplication.CreateBuilder(args).Build();
var group = app.MapGroup("/orders");

group.MapGet("/{id}", Handlers.Find);
app.MapPost("/orders", (Order o) => Save(o));

app.Run();

static void Save(Order o)
{
    Console.WriteLine(o);
}

record Order(int Id);
