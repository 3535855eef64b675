@file:JvmName("OrdersKt")

/** Orders and what happens to them. */
package com.example.shop

import java.util.UUID
import kotlin.collections.Map as Dictionary

/** How many orders one page shows. */
const val PAGE_SIZE = 50

typealias Handler<T> = suspend (T) -> Unit

/**
 * Takes orders.
 *
 * Never talks to the payment service.
 */
@Controller
@RequestMapping("/orders")
open class Orders<T : Any> @JvmOverloads internal constructor(
    private val home: String = System.getenv("ORDERS_HOME") ?: "/var/orders",
    val listener: (T) -> Unit = {},
) : Base<T>(home), Runnable, Listener by Delegate(home) where T : Comparable<T> {
    /* a comment /* nested */ still a comment: fun no() {} */
    private val banner = """
        class Fake { fun no() = "${nested("}")}" }
    """

    var size: Int = 0
        private set(value) {
            field = value
        }

    val isEmpty: Boolean
        get() = size == 0

    val lazyName by lazy { compute("name") }

    init {
        require(home.isNotEmpty()) { "home ${home} {" }
    }

    constructor(id: UUID) : this(id.toString()) {
        size = 1
    }

    override fun run() {
        listOf(1, 2).map { it * 2 }.forEach(::println)
        object : Listener { override fun heard() {} }.heard()
    }

    /** Finds one order. */
    @Deprecated("use all", ReplaceWith("all()"))
    @GetMapping("/{id}")
    suspend inline fun <reified K> find(@PathVariable id: Long, vararg more: K): Map<K, List<T>>? = when (id) {
        0L -> null
        else ->
            lookup(id)
                ?.orNull()
    }

    fun short() =
        if (size > 0)
            "many"
        else
            "none"

    fun List<T>.second(): T? = getOrNull(1)

    private fun `name with spaces`() { }

    internal fun hidden() = Unit

    companion object {
        const val VERSION = "1.0"
        @JvmStatic fun create() = Orders<String>("x")
    }

    enum class State(val key: String) {
        OPEN("open") { override fun label() = "Open" },
        /** No longer changes. */
        CLOSED("closed");

        open fun label() = key
    }

    sealed interface Event {
        data class Created(val id: String) : Event
        data object Closed : Event
    }
}

fun interface Listener { fun heard() }

class NotFoundException(message: String) : RuntimeException(message)

annotation class Audited

object Registry : Listener {
    override fun heard() = Unit
}

fun main(args: Array<String>) {
    Orders<String>().run() // TODO: close it
}
