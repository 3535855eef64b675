<!DOCTYPE html>
<p class="x">don't <?= $title ?> {</p>
<?php

/*
 * This file is part of the shop.
 */

declare(strict_types=1);

namespace Example\Shop;

use Psr\Log\LoggerInterface;
use Example\{Store, Base as Book};
use function strlen;

const PAGE_SIZE = 50, MAX_SIZE = 100;
define('SHOP_NAME', 'shop');

require_once __DIR__ . '/store.php';

if (!function_exists('shop_helper')) {
    /** Helps. */
    function shop_helper(int $a = 1): ?int
    {
        return $a;
    }
}

/**
 * Takes orders.
 *
 * Never talks to the payment service, see {@see Store}.
 *
 * @template T
 */
#[Route('/orders', name: 'orders_')]
#[AsCommand(
    name: 'shop:orders',
    description: 'Works with orders',
)]
abstract class Orders extends Book implements \Countable, Store
{
    use Loggable, Countable {
        count as protected size;
    }

    /** Where orders are kept. */
    public const string HOME = '/var/orders';
    private ?LoggerInterface $logger = null;
    /** @var int[] Numbers that are free. */
    public static array $free = [1, 2];
    public string $name {
        get => strtoupper($this->name);
    }

    public function __construct(#[\SensitiveParameter] private readonly string $home = '}', protected array $x = ['a' => [1]])
    {
        $home = getenv('ORDERS_HOME') ?: '/var/orders';
        $debug = $_ENV['ORDERS_DEBUG'] ?? 'no';
        $text = "{$this->a["}"]} ${x} {$b}";
        $sql = <<<SQL
            function fake() { {$a['b']}
            SQL . 'end';
        $raw = <<<'RAW'
            class Fake {
            RAW;
        $this->store?->save(new Order($home), fn () => static::make()); // TODO: retry
    }

    /**
     * Finds one order.
     *
     * @deprecated use all
     */
    #[Route('/{id}', methods: ['GET', 'HEAD'])]
    final public function &find(int $id): self|null
    {
        if ($id < 0) {
            exit(2);
        }
        $o = new class($id) extends Order {
            public function inner() {}
        };

        return $this->{$id}['}'];
    }

    abstract protected function hook(): void;

    protected function configure(): void
    {
        $this->addOption('page-size', 'p', InputOption::VALUE_REQUIRED, 'Orders on a page', 50);
    }

    private static function make(): static { return new static(); }
}

interface Event extends A, B { public function name(): string; }

trait Loggable
{
    public function log() { echo Foo::class; }
}

enum State: string implements HasLabel
{
    case Open = 'open';
    /** No longer changes. */
    case Closed = 'closed';
    const DEFAULT = self::Open;

    public function label(): string { return match ($this) { self::Open => 'Open', self::Closed => 'Closed' }; }
}

/** Thrown where an order is not there. */
final class NotFoundException extends \RuntimeException {}

class OrdersTest extends TestCase
{
    public function testFinds(): void { self::assertNull((new Orders())->find(1)); }

    #[Test]
    public function it_counts(): void {}
}

Route::get('/health', [HealthController::class, 'show']);
$port = env('SHOP_PORT', '8080');
# FIXME one more
?>
<b>{ function no() {} </b>
