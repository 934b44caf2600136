// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Part of a value that few have: an optional that takes a pointer's room where there is nothing, and is copied with what it holds.
// (std::optional keeps room for all of it: thousands of objects are held that are neither Event nor Lease nor Pod.)
#include <memory>
#include <optional>
#include <utility>

namespace switchyard {

template<typename T>
class Boxed
{
public:
    Boxed() = default;
    Boxed(std::nullopt_t) {}
    Boxed(T value)
        : m_value(std::make_unique<T>(std::move(value)))
    {}
    Boxed(std::optional<T> value)
        : m_value(value ? std::make_unique<T>(*std::move(value)) : nullptr)
    {}
    Boxed(const Boxed &other)
        : m_value(other ? std::make_unique<T>(*other) : nullptr)
    {}
    Boxed(Boxed &&other) noexcept = default;
    Boxed &operator=(const Boxed &other)
    {
        if (this == &other)
            return *this;
        if (m_value && other) // what is there keeps its memory
            *m_value = *other;
        else
            m_value = other ? std::make_unique<T>(*other) : nullptr;
        return *this;
    }
    Boxed &operator=(Boxed &&other) noexcept = default;
    ~Boxed() = default;

    explicit operator bool() const { return m_value != nullptr; }
    bool has_value() const { return m_value != nullptr; }
    T &operator*() { return *m_value; }
    const T &operator*() const { return *m_value; }
    T *operator->() { return m_value.get(); }
    const T *operator->() const { return m_value.get(); }
    T value_or(T other) const { return m_value ? *m_value : std::move(other); }
    void reset() { m_value.reset(); }
    T &emplace() { return *(m_value = std::make_unique<T>()); }

    friend bool operator==(const Boxed &a, const Boxed &b) { return a && b ? *a == *b : a.has_value() == b.has_value(); }

private:
    std::unique_ptr<T> m_value;
};

} // namespace switchyard
