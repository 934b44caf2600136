// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/export/row_writer.h"
#include "app/export/workbook_check.h"
#include "app/export/workbook_text.h"
#include "models/core/table_text.h"

#include <QFile>
#include <QFileInfo>

#include <cerrno>

#include <xlsxwriter.h>

namespace switchyard::exports {

using tables::Cell;
using tables::CellType;
using tables::Column;

namespace {

struct FreeWorkbook
{
    void operator()(lxw_workbook *book) const { lxw_workbook_free(book); }
};

// Sorts and reads as the text that it is elsewhere; as a number it would lose digits on its way.
bool isLsn(const Column &column)
{
    return column.name == "lsn" && column.type == CellType::Unsigned;
}

bool isNothing(const Cell &cell)
{
    const auto *text = std::get_if<std::string>(&cell);
    return text ? text->empty() : !tables::cellText(cell);
}

class WorkbookWriter : public RowWriter
{
public:
    WorkbookWriter(const Order &order, AtomicFile &file)
        : m_order(order)
        , m_file(file)
        , m_folder(QFileInfo(QFile::decodeName(file.temporaryName())).absolutePath().toLocal8Bit())
    {}

    Result<void> begin() override
    {
        // Its temporary files lie beside the result, not in /tmp, which is memory on many machines.
        lxw_workbook_options options{};
        options.constant_memory = LXW_TRUE;
        options.tmpdir = m_folder.data();
        m_book.reset(workbook_new_opt(m_file.temporaryName().constData(), &options));
        if (!m_book)
            return failed("cannot make a workbook");
        m_heading = workbook_add_format(m_book.get());
        format_set_bold(m_heading);
        m_plain = workbook_add_format(m_book.get());
        m_literal = workbook_add_format(m_book.get());
        format_set_num_format(m_literal, "@");
        m_time = workbook_add_format(m_book.get());
        format_set_num_format(m_time, "yyyy-mm-dd hh:mm:ss.000");
        return addSheet();
    }

    Result<void> add(const tables::Row &row) override
    {
        if (m_rows.back() > m_order.rowsOnASheet) {
            if (auto added = addSheet(); !added)
                return added;
        }
        const lxw_row_t at = m_rows.back()++;
        bool empty = true;
        for (std::size_t i = 0; i < m_order.columns.size() && i < row.size(); ++i) {
            empty = empty && isNothing(row[i]);
            if (const lxw_error error = write(at, static_cast<lxw_col_t>(i), row[i], m_order.columns[i]); error != LXW_NO_ERROR)
                return failed(lxw_strerror(error));
        }
        if (empty) // without a cell the row would not be there
            worksheet_write_blank(m_sheet, at, 0, m_plain);
        return {};
    }

    Result<void> flush() override
    {
        // The library does not look whether its writes succeed.
        if (m_sheet->optimize_tmpfile && std::ferror(m_sheet->optimize_tmpfile) != 0)
            return failed("cannot write a temporary file beside it: is the disk full?");
        return {};
    }

    Result<void> finish(Summary &summary) override
    {
        if (auto flushed = flush(); !flushed)
            return flushed;
        const lxw_error error = workbook_close(m_book.release()); // frees it in any case
        if (error != LXW_NO_ERROR)
            return failed(std::string(lxw_strerror(error)) + ": is the disk full?");
        if (const std::string problem = workbookProblem(m_file.temporaryName(), m_rows); !problem.empty())
            return failed(problem);
        summary.cutTexts = m_cut;
        summary.sheets = static_cast<int>(m_rows.size());
        return {};
    }

private:
    Result<void> failed(const std::string &what) const
    {
        Error error = m_file.failure("", 0);
        error.message = "cannot write the workbook: " + what;
        return tl::unexpected(error);
    }

    Result<void> addSheet()
    {
        const std::string name = sheetName(m_order.title.toStdString(), static_cast<int>(m_rows.size()) + 1);
        if (m_sheet) {
            if (auto flushed = flush(); !flushed)
                return flushed;
        }
        m_sheet = workbook_add_worksheet(m_book.get(), name.c_str());
        if (!m_sheet)
            return failed("cannot add a sheet");
        worksheet_freeze_panes(m_sheet, 1, 0);
        for (std::size_t i = 0; i < m_order.columns.size(); ++i) {
            const auto column = static_cast<lxw_col_t>(i);
            constexpr double timeWidth = 23;
            constexpr double width = 16;
            worksheet_set_column(m_sheet, column, column, m_order.columns[i].type == CellType::Time ? timeWidth : width, nullptr);
            worksheet_write_string(m_sheet, 0, column, workbookText(m_order.columns[i].name).text.c_str(), m_heading);
        }
        m_rows.push_back(1);
        return {};
    }

    lxw_error writeText(lxw_row_t row, lxw_col_t column, std::string_view text)
    {
        const CellText cell = workbookText(text);
        m_cut += cell.cut ? 1 : 0;
        // The cell holds text in any case. With the format "text" it stays text also when somebody edits it.
        lxw_format *const format = tables::isFormula(text) ? m_literal : nullptr;
        return worksheet_write_string(m_sheet, row, column, cell.text.c_str(), format);
    }

    lxw_error writeTime(lxw_row_t row, lxw_col_t column, Instant t)
    {
        const auto date = workbookDate(t);
        return date ? worksheet_write_number(m_sheet, row, column, *date, m_time) : writeText(row, column, formatUtc(t));
    }

    template<class Integer>
    lxw_error writeInteger(lxw_row_t row, lxw_col_t column, Integer n, const Column &of)
    {
        return keptExactly(n) && !isLsn(of) ? worksheet_write_number(m_sheet, row, column, static_cast<double>(n), nullptr)
                                            : writeText(row, column, std::to_string(n));
    }

    lxw_error write(lxw_row_t row, lxw_col_t column, const Cell &cell, const Column &of)
    {
        if (const auto *text = std::get_if<std::string>(&cell))
            return writeText(row, column, *text);
        if (const auto *n = std::get_if<std::int64_t>(&cell))
            return writeInteger(row, column, *n, of);
        if (const auto *u = std::get_if<std::uint64_t>(&cell))
            return writeInteger(row, column, *u, of);
        if (const auto *b = std::get_if<bool>(&cell))
            return worksheet_write_boolean(m_sheet, row, column, *b ? LXW_TRUE : LXW_FALSE, nullptr);
        if (const auto *t = std::get_if<Instant>(&cell))
            return writeTime(row, column, *t);
        const auto *real = std::get_if<double>(&cell);
        return real && !isNothing(cell) ? worksheet_write_number(m_sheet, row, column, *real, nullptr) : LXW_NO_ERROR;
    }

    const Order &m_order;
    AtomicFile &m_file;
    QByteArray m_folder;
    std::unique_ptr<lxw_workbook, FreeWorkbook> m_book;
    lxw_worksheet *m_sheet = nullptr;
    lxw_format *m_heading = nullptr;
    lxw_format *m_plain = nullptr;
    lxw_format *m_literal = nullptr;
    lxw_format *m_time = nullptr;
    std::vector<std::uint32_t> m_rows; // of each sheet, with its heading
    std::uint64_t m_cut = 0;
};

} // namespace

std::unique_ptr<RowWriter> makeWorkbookWriter(const Order &order, AtomicFile &file)
{
    return std::make_unique<WorkbookWriter>(order, file);
}

} // namespace switchyard::exports
