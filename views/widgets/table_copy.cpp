// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/table_copy.h"

#include "models/core/table_formats.h"
#include "views/main_window.h"
#include "views/widgets/shown_table.h"

#include <QAction>
#include <QClipboard>
#include <QCoreApplication>
#include <QGuiApplication>
#include <QTableView>

namespace switchyard::views {

using tables::Format;

namespace {

struct TableCopy
{
    Q_DECLARE_TR_FUNCTIONS(TableCopy)
};

void toClipboard(const std::string &text)
{
    QGuiApplication::clipboard()->setText(QString::fromStdString(text));
}

// Without headings: into a sheet or a chat, row by row.
void copyRows(const QTableView *table)
{
    const tables::Table rows = shownTable(table, RowChoice::Selected);
    std::string lines;
    for (const tables::Row &row : rows.rows)
        lines += streamRow(rows.columns, row, Format::Tsv);
    if (lines.empty())
        return;
    lines.pop_back();
    toClipboard(lines);
}

void copyAs(const QTableView *table, Format format)
{
    const tables::Table rows = shownTable(table, RowChoice::Selected);
    if (!rows.rows.empty())
        toClipboard(tables::format(rows, format));
}

void copyCell(const QTableView *table)
{
    if (table->currentIndex().isValid())
        QGuiApplication::clipboard()->setText(table->currentIndex().data().toString());
}

QAction *add(QTableView *table, const QString &text, const QKeySequence &shortcut = {})
{
    auto *action = new QAction(text, table);
    action->setShortcut(shortcut);
    action->setShortcutContext(Qt::WidgetShortcut);
    table->addAction(action);
    return action;
}

} // namespace

QList<QAction *> addCopyActions(QTableView *table)
{
    QAction *row = add(table, TableCopy::tr("Copy row"), QKeySequence::Copy);
    QAction *cell = add(table, TableCopy::tr("Copy cell"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C));
    QAction *csv = add(table, TableCopy::tr("Copy as CSV"));
    QAction *markdown = add(table, TableCopy::tr("Copy as Markdown"));
    QAction *toFile = add(table, TableCopy::tr("Export\u2026"));
    QObject::connect(row, &QAction::triggered, table, [table] { copyRows(table); });
    QObject::connect(cell, &QAction::triggered, table, [table] { copyCell(table); });
    QObject::connect(csv, &QAction::triggered, table, [table] { copyAs(table, Format::Csv); });
    QObject::connect(markdown, &QAction::triggered, table, [table] { copyAs(table, Format::Md); });
    QObject::connect(toFile, &QAction::triggered, table, [table] {
        if (auto *window = qobject_cast<MainWindow *>(table->window()))
            window->exportTable(table);
    });
    table->setProperty(exportableProperty, true);
    return {row, cell, csv, markdown, toFile};
}

} // namespace switchyard::views
