// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dialogs/results_dialog.h"

#include "views/pages/cluster/parts.h"
#include "views/style/metrics.h"
#include "views/widgets/cell_delegate.h"
#include "views/widgets/cell_roles.h"

#include <QClipboard>
#include <QDialogButtonBox>
#include <QGuiApplication>
#include <QHeaderView>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace switchyard::views {

using namespace Qt::StringLiterals;

namespace {

constexpr int mostRows = 16;

int count(const QList<ResultLine> &lines, Tone tone)
{
    return int(std::count_if(lines.begin(), lines.end(), [tone](const ResultLine &line) { return line.tone == tone; }));
}

Tone worst(const QList<ResultLine> &lines)
{
    for (const Tone tone : {Tone::Bad, Tone::Unknown, Tone::Warning})
        if (count(lines, tone) > 0)
            return tone;
    return Tone::Good;
}

} // namespace

QString resultCounts(const QList<ResultLine> &lines)
{
    QStringList parts;
    const auto add = [&](int number, const QString &what) {
        if (number > 0)
            parts << ResultsDialog::tr("%1 %2", "number, what").arg(QString::number(number), what);
    };
    add(count(lines, Tone::Good), ResultsDialog::tr("done"));
    add(count(lines, Tone::Bad), ResultsDialog::tr("not done"));
    add(count(lines, Tone::Warning) + count(lines, Tone::Unknown), ResultsDialog::tr("not known"));
    add(count(lines, Tone::Neutral), ResultsDialog::tr("left out"));
    return parts.join(u", "_s);
}

ResultsDialog::ResultsDialog(const QString &title, const QList<ResultLine> &lines, QWidget *parent)
    : QDialog(parent)
    , m_title(title)
    , m_lines(lines)
    , m_table(new QTableWidget(int(lines.size()), 2, this))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(title);
    auto *head = new StateLabel(this);
    head->label()->setFont(titleFont(font()));
    head->setState(worst(lines), tr("%1: %2", "action, counts").arg(title, resultCounts(lines)));
    m_table->setHorizontalHeaderLabels({tr("Of"), tr("Result")});
    m_table->setAccessibleName(tr("Results"));
    styleTable(m_table);
    m_table->setItemDelegate(new CellDelegate(m_table));
    m_table->setSortingEnabled(false);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    for (int row = 0; row < int(lines.size()); ++row) {
        auto *name = new QTableWidgetItem(lines.at(row).name), *result = new QTableWidgetItem(lines.at(row).text);
        result->setData(ToneRole, int(lines.at(row).tone));
        result->setToolTip(lines.at(row).text);
        m_table->setItem(row, 0, name);
        m_table->setItem(row, 1, result);
    }
    m_table->resizeColumnToContents(0);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->setMinimumHeight(m_table->horizontalHeader()->sizeHint().height()
                              + qMin(mostRows, int(lines.size())) * m_table->verticalHeader()->defaultSectionSize() + grid);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    auto *copy = buttons->addButton(tr("&Copy"), QDialogButtonBox::ActionRole);
    copy->setAutoDefault(false);
    connect(copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(text()); });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(pageMargin, pageMargin, pageMargin, pageMargin);
    column->setSpacing(grid);
    column->addWidget(head);
    column->addWidget(m_table, 1);
    column->addWidget(buttons);
    resize(820, sizeHint().height());
    buttons->button(QDialogButtonBox::Close)->setFocus();
}

QString ResultsDialog::text() const
{
    QStringList all{m_title + u": "_s + resultCounts(m_lines)};
    for (const ResultLine &line : m_lines)
        all << u"%1\t%2"_s.arg(line.name, line.text);
    return all.join(u'\n');
}

} // namespace switchyard::views
