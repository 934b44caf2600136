// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/export_dialog.h"

#include "views/style/metrics.h"
#include "views/widgets/shown_table.h"
#include "views/words.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QStandardPaths>
#include <QToolButton>

namespace switchyard::views {

using namespace Qt::StringLiterals;
using What = ExportRequest::What;

namespace {

constexpr int firstTable = 1000; // data of the first box: below, an ExportRequest::What

QString whatCode(int what)
{
    switch (static_cast<What>(what)) {
    case What::Clusters: return u"clusters"_s;
    case What::Members: return u"members"_s;
    case What::History: return u"history"_s;
    case What::Events: return u"events"_s;
    case What::Transitions: return u"transitions"_s;
    case What::Requests: return u"requests"_s;
    case What::Audit: return u"audit"_s;
    case What::Elections: return u"elections"_s;
    }
    return {};
}

QString extension(const QString &format)
{
    return format == "table"_L1 ? u"txt"_s : format;
}

// A part of a file's name: lower-case letters and digits.
QString slug(const QString &title)
{
    QString name;
    for (const QChar c : title.toLower()) {
        if (c.isLetterOrNumber())
            name += c;
        else if (!name.isEmpty() && !name.endsWith(u'-'))
            name += u'-';
    }
    return name.endsWith(u'-') ? name.chopped(1) : name;
}

QString folder()
{
    const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    return QDir(documents).exists() ? documents : QDir::homePath();
}

} // namespace

ExportDialog::ExportDialog(const QList<QTableView *> &tables, QTableView *preset, What what, Clusters clusters, QWidget *parent)
    : QDialog(parent)
    , m_tables(tables.begin(), tables.end())
    , m_clusters(std::move(clusters))
    , m_what(new QComboBox(this))
    , m_which(new QComboBox(this))
    , m_format(new QComboBox(this))
    , m_file(new QLineEdit(this))
{
    setWindowTitle(tr("Export"));
    fillWhat(preset, what);
    const std::pair<QString, QString> formats[] = {{u"csv"_s, tr("CSV, comma-separated")},  {u"tsv"_s, tr("TSV, tab-separated")},
                                                   {u"json"_s, tr("JSON, one array")},      {u"ndjson"_s, tr("NDJSON, one object a line")},
                                                   {u"md"_s, tr("Markdown table")},         {u"table"_s, tr("Text table")},
                                                   {u"xlsx"_s, tr("Excel workbook (XLSX)")}};
    for (const auto &[code, name] : formats)
        m_format->addItem(name, code);
    build();
    fillWhich();
    connect(m_what, &QComboBox::currentIndexChanged, this, &ExportDialog::fillWhich);
    for (QComboBox *box : {m_what, m_which, m_format})
        connect(box, &QComboBox::currentIndexChanged, this, &ExportDialog::suggest);
    suggest();
}

void ExportDialog::build()
{
    auto *browse = new QPushButton(tr("&Browse..."), this);
    browse->setAutoDefault(false);
    auto *form = new QFormLayout(this);
    form->setContentsMargins(pageMargin, pageMargin, pageMargin, pageMargin);
    form->setSpacing(grid);
    form->addRow(tr("&What"), m_what);
    form->addRow(tr("&Of"), m_which);
    form->addRow(tr("&Format"), m_format);
    auto *line = new QHBoxLayout;
    line->addWidget(m_file, 1);
    line->addWidget(browse);
    auto *into = new QLabel(tr("In&to"), this); // a layout cannot be a label's buddy: the mark would be shown as it is
    into->setBuddy(m_file);
    form->addRow(into, line);
    m_file->setAccessibleName(tr("File to write"));
    m_file->setMinimumWidth(360);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_export = buttons->addButton(tr("&Export"), QDialogButtonBox::AcceptRole);
    m_export->setDefault(true);
    form->addRow(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(browse, &QPushButton::clicked, this, &ExportDialog::browse);
    connect(m_file, &QLineEdit::textEdited, this, [this] { m_named = true; });
    connect(m_file, &QLineEdit::textChanged, this, &ExportDialog::validate);
}

// First the tables at hand, then all that there is.
void ExportDialog::fillWhat(QTableView *preset, What what)
{
    for (int i = 0; i < m_tables.size(); ++i)
        m_what->addItem(tr("%1: the table, in its words").arg(tableTitle(m_tables[i])), firstTable + i);
    if (!m_tables.isEmpty())
        m_what->insertSeparator(m_what->count());
    const std::pair<What, QString> all[] = {
        {What::Clusters, tr("Clusters")},        {What::Members, tr("Members")},
        {What::History, tr("Timeline history")}, {What::Transitions, tr("Transitions of leadership")},
        {What::Requests, tr("Requests")},        {What::Events, tr("Events")},
        {What::Elections, tr("Elections")},
    };
    for (const auto &[kind, name] : all)
        m_what->addItem(tr("%1: every field, in codes").arg(name), int(kind));
    m_what->addItem(tr("Audit trail, as the page Audit filters it: every field"), int(What::Audit));
    const auto of = preset ? m_tables.indexOf(preset) : -1;
    m_what->setCurrentIndex(m_what->findData(of >= 0 ? firstTable + int(of) : int(what)));
}

QTableView *ExportDialog::table() const
{
    const int chosen = m_what->currentData().toInt();
    return chosen >= firstTable ? m_tables.value(chosen - firstTable) : nullptr;
}

void ExportDialog::fillWhich()
{
    const QSignalBlocker quiet(m_which);
    m_which->clear();
    m_which->setEnabled(true);
    if (const QTableView *rows = table()) {
        const qsizetype shown = countRows(rows, RowChoice::Shown), selected = countRows(rows, RowChoice::Selected),
                        all = countRows(rows, RowChoice::All);
        m_which->addItem(all == shown ? tr("all rows (%1)").arg(shown) : tr("the rows that are shown (%1)").arg(shown),
                         int(RowChoice::Shown));
        if (selected > 0)
            m_which->addItem(tr("the selected rows (%1)").arg(selected), int(RowChoice::Selected));
        if (all != shown)
            m_which->addItem(tr("all rows (%1), also those that the filter hides").arg(all), int(RowChoice::All));
        return;
    }
    if (m_clusters.one)
        m_which->addItem(text(m_clusters.one->text()), true);
    const auto count = m_clusters.shown.size();
    m_which->addItem(m_clusters.filtered ? tr("the %1 clusters shown by the filter").arg(count) : tr("all clusters (%1)").arg(count),
                     false);
    m_which->setEnabled(m_what->currentData().toInt() != int(What::Audit));
}

QString ExportDialog::title() const
{
    const QTableView *rows = table();
    return rows ? slug(tableTitle(rows)) : whatCode(m_what->currentData().toInt());
}

void ExportDialog::suggest()
{
    const QString format = m_format->currentData().toString();
    if (m_named) { // only the ending follows the format
        const qsizetype dot = m_file->text().lastIndexOf(u'.');
        if (dot > m_file->text().lastIndexOf(u'/'))
            m_file->setText(m_file->text().left(dot) + u'.' + extension(format));
        return;
    }
    const bool one = m_clusters.one && (table() || m_which->currentData().toBool());
    const QString of = one ? u"-"_s + text(m_clusters.one->ns) + u'-' + text(m_clusters.one->base) : QString();
    m_file->setText(folder() + u"/switchyard-"_s + title() + of + u'.' + extension(format));
}

void ExportDialog::browse()
{
    const QString file = QFileDialog::getSaveFileName(this, tr("Export into"), m_file->text());
    if (file.isEmpty())
        return;
    m_named = true;
    m_file->setText(file);
}

void ExportDialog::validate()
{
    const QString file = m_file->text().trimmed();
    const bool replaces = QFileInfo::exists(file); // said before, and not by a mere Enter
    m_export->setEnabled(!file.isEmpty());
    m_export->setText(replaces ? tr("&Replace the file") : tr("&Export"));
    m_export->setDefault(!replaces);
    m_export->setAutoDefault(!replaces);
}

ExportRequest ExportDialog::request() const
{
    ExportRequest r;
    r.format = m_format->currentData().toString();
    r.file = m_file->text().trimmed();
    r.title = title();
    if (const QTableView *rows = table()) {
        r.table = shownTable(rows, static_cast<RowChoice>(m_which->currentData().toInt()));
        return r;
    }
    r.what = static_cast<What>(m_what->currentData().toInt());
    if (m_which->currentData().toBool())
        r.clusters = {*m_clusters.one};
    else if (m_clusters.filtered)
        r.clusters = m_clusters.shown;
    return r;
}

} // namespace switchyard::views
