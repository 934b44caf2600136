// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/export/export_rows.h"

#include "app/export/row_writer.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace switchyard::exports {

using tables::Format;

namespace {

class TextWriter : public RowWriter
{
public:
    TextWriter(const Order &order, AtomicFile &file)
        : m_order(order)
        , m_file(file)
    {}
    Result<void> begin() override { return m_file.write(tables::tableHead(m_order.columns, m_order.format)); }
    Result<void> add(const tables::Row &row) override
    {
        return m_file.write(tables::tableLine(m_order.columns, row, m_order.format, m_rows++));
    }
    Result<void> finish(Summary &) override { return m_file.write(tables::tableFoot(m_order.format, m_rows)); }

private:
    const Order &m_order;
    AtomicFile &m_file;
    std::size_t m_rows = 0;
};

// Widths are known only at the end.
class AlignedWriter : public RowWriter
{
public:
    AlignedWriter(const Order &order, AtomicFile &file)
        : m_table{order.columns, {}}
        , m_file(file)
    {}
    Result<void> begin() override { return {}; }
    Result<void> add(const tables::Row &row) override
    {
        m_table.rows.push_back(row);
        return {};
    }
    Result<void> finish(Summary &) override { return m_file.write(tables::format(m_table, Format::Table)); }

private:
    tables::Table m_table;
    AtomicFile &m_file;
};

// Nothing: the source has no more, or was stopped (summary.cancelled).
Result<void> pour(const RowSource &source, RowWriter &writer, const Progress &goOn, Summary &summary)
{
    for (;;) {
        if (goOn && !goOn(summary.rows)) {
            summary.cancelled = true;
            return {};
        }
        const auto batch = source();
        if (!batch)
            return tl::unexpected(batch.error());
        if (batch->empty())
            return {};
        for (const tables::Row &row : *batch) {
            if (auto added = writer.add(row); !added)
                return added;
        }
        summary.rows += batch->size();
        if (auto flushed = writer.flush(); !flushed)
            return flushed;
    }
}

} // namespace

std::unique_ptr<RowWriter> makeTextWriter(const Order &order, AtomicFile &file)
{
    if (order.format == Format::Table)
        return std::make_unique<AlignedWriter>(order, file);
    return std::make_unique<TextWriter>(order, file);
}

RowSource rowsOf(std::vector<tables::Row> rows)
{
    constexpr std::size_t batch = 1000;
    return [all = std::move(rows), from = std::size_t(0)]() mutable -> Result<std::vector<tables::Row>> {
        const auto first = all.begin() + static_cast<std::ptrdiff_t>(from);
        from = std::min(from + batch, all.size());
        const auto last = all.begin() + static_cast<std::ptrdiff_t>(from);
        return std::vector<tables::Row>(std::make_move_iterator(first), std::make_move_iterator(last));
    };
}

Result<Summary> exportRows(const Order &order, const RowSource &source, const Progress &goOn)
{
    Summary summary;
    AtomicFile file(order.file);
    if (auto opened = file.open(); !opened)
        return tl::unexpected(opened.error());
    const auto writer = order.format == Format::Xlsx ? makeWorkbookWriter(order, file) : makeTextWriter(order, file);
    auto done = writer->begin().and_then([&] { return pour(source, *writer, goOn, summary); });
    if (done && !summary.cancelled)
        done = writer->finish(summary);
    if (done && goOn && !goOn(summary.rows))
        summary.cancelled = true;
    if (done && !summary.cancelled)
        done = file.commit();
    if (!done)
        return tl::unexpected(done.error());
    return summary;
}

} // namespace switchyard::exports
