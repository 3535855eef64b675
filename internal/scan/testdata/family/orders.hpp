#pragma once
#include <string>
#include <vector>

SHOP_BEGIN_NAMESPACE
namespace shop::detail {

template <typename T> struct traits;

/// Takes orders.
///
/// @tparam T what is ordered
template <typename T, typename = std::enable_if_t<(sizeof(T) > 1)>>
class SHOP_EXPORT Orders final : public Base<T>, private virtual ns::Listener {
    Q_OBJECT
public:
    using value_type = T;
    static constexpr int page_size = 50;

    explicit Orders(std::string name, int n = 0) : Base<T>{name}, name_(std::move(name)), n_{n} {}
    Orders(const Orders&) = delete;
    Orders& operator=(const Orders&) = default;
    ~Orders() override;

    /**
     * @brief Finds one order.
     * @param id its number
     * @deprecated use all
     */
    [[nodiscard]] auto find(int id) const noexcept -> std::vector<T>;

    bool operator==(const Orders& o) const { return n_ == o.n_; }
    T& operator[](int i) { return items_[i]; }
    void operator()(int x) const { call(x); }
    operator bool() const { return n_ > 0; }

    template <class F>
    void each(F&& f) { for (auto& x : items_) f(x); }

    friend bool operator<(const Orders& a, const Orders& b) { return a.n_ < b.n_; }

protected:
    virtual void hook() = 0;
    void locked() EXCLUSIVE_LOCKS_REQUIRED(mu_);

private:
    struct Node { int v; Node* next() { return this; } };
    enum class State : unsigned char { Open, Closed };
    std::string name_ = R"x(class Fake { "})x";
    int n_ = 1'000;
};

template <typename T, typename U>
Orders<T, U>::~Orders() { close(); }

inline int free_function(int a) { return a; }

namespace {
int hidden() { return 1; }
}

extern "C" {
void c_api(void);
}

class not_found_error : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

using Alias = std::vector<int>;

} // namespace shop::detail

TEST(OrdersTest, AddsOne) {
    EXPECT_TRUE(shop::add());
}

TEST_CASE("orders are found", "[orders]") { REQUIRE(1 == 1); }
