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
#include <QStandardItemModel>
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

RowChoice rowChoice(ExportOf of)
{
    return of == ExportOf::Shown ? RowChoice::Shown : of == ExportOf::Selected ? RowChoice::Selected : RowChoice::All;
}

} // namespace

ExportDialog::ExportDialog(const Tables &tables, QTableView *preset, What what, Clusters clusters, QWidget *parent)
    : QDialog(parent)
    , m_tables(tables.here.begin(), tables.here.end())
    , m_clusters(std::move(clusters))
    , m_what(new QComboBox(this))
    , m_which(new QComboBox(this))
    , m_format(new QComboBox(this))
    , m_file(new QLineEdit(this))
    , m_note(captionLabel(QString(), this))
{
    setWindowTitle(tr("Export"));
    for (auto it = tables.records.begin(); it != tables.records.end(); ++it)
        m_records[it.key()] = it.value();
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
    connect(m_which, &QComboBox::currentIndexChanged, this, &ExportDialog::explain);
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
    m_note->setWordWrap(true);
    m_note->setMinimumHeight(2 * m_note->fontMetrics().lineSpacing()); // what stands below stays in its place
    m_note->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    form->addRow(QString(), m_note);
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
    m_what->addItem(tr("%1: every field, in codes").arg(tr("Audit trail")), int(What::Audit));
    const auto of = preset ? m_tables.indexOf(preset) : -1;
    m_what->setCurrentIndex(m_what->findData(of >= 0 ? firstTable + int(of) : int(what)));
}

QTableView *ExportDialog::table() const
{
    const int chosen = m_what->currentData().toInt();
    return chosen >= firstTable ? m_tables.value(chosen - firstTable) : nullptr;
}

QTableView *ExportDialog::recordTable(What what) const
{
    return m_records.value(int(what));
}

ExportOf ExportDialog::of() const
{
    return static_cast<ExportOf>(m_which->currentData().toInt());
}

ExportFacts ExportDialog::facts() const
{
    ExportFacts facts;
    const QTableView *rows = table();
    if (!rows) {
        facts.kind = static_cast<What>(m_what->currentData().toInt());
        rows = recordTable(*facts.kind);
    }
    if (rows)
        facts.table = {m_tables.contains(rows), countRows(rows, RowChoice::Shown), countRows(rows, RowChoice::Selected),
                       countRows(rows, RowChoice::All)};
    facts.open = m_clusters.open ? text(m_clusters.open->text()) : QString();
    facts.one = m_clusters.one ? text(m_clusters.one->text()) : QString();
    facts.clusters = m_clusters.all;
    facts.shownClusters = qsizetype(m_clusters.shown.size());
    facts.filtered = m_clusters.filtered;
    return facts;
}

void ExportDialog::fillWhich()
{
    const QSignalBlocker quiet(m_which);
    m_which->clear();
    const ExportChoices made = exportChoices(facts());
    auto *items = qobject_cast<QStandardItemModel *>(m_which->model());
    for (const ExportChoice &choice : made.choices) {
        m_which->addItem(choice.text, int(choice.of));
        QStandardItem *item = items->item(m_which->count() - 1);
        item->setEnabled(choice.whyNot.isEmpty());
        item->setToolTip(choice.whyNot.isEmpty() ? choice.note : choice.whyNot);
    }
    m_which->setCurrentIndex(int(made.preset));
    explain();
}

// What goes in; where there are no rows to choose from, why.
void ExportDialog::explain()
{
    const ExportChoices made = exportChoices(facts());
    QString note;
    for (const ExportChoice &choice : made.choices) {
        if (choice.of == ExportOf::Shown && !choice.whyNot.isEmpty())
            note = choice.whyNot;
        else if (choice.of == of() && note.isEmpty())
            note = choice.note;
    }
    m_note->setText(note);
    m_which->setAccessibleDescription(note);
}

QString ExportDialog::clusterName() const
{
    const auto name = [](const std::optional<patroni::ClusterKey> &key) {
        return key ? text(key->ns) + u'-' + text(key->base) : QString();
    };
    const bool byTable = of() == ExportOf::Shown || of() == ExportOf::Selected;
    if (table() || of() == ExportOf::One)
        return name(m_clusters.one);
    return byTable && isOfOneCluster(static_cast<What>(m_what->currentData().toInt())) ? name(m_clusters.open) : QString();
}

// A part is not called as the whole is.
QString ExportDialog::title() const
{
    const QTableView *rows = table();
    const QString name = rows ? slug(tableTitle(rows)) : whatCode(m_what->currentData().toInt());
    const ExportTable counted = facts().table.value_or(ExportTable{});
    if (of() == ExportOf::Selected)
        return name + u"-selected"_s;
    const bool filtered = of() == ExportOf::Filtered || (of() == ExportOf::Shown && counted.shown < counted.all);
    return filtered ? name + u"-filtered"_s : name;
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
    const QString cluster = clusterName();
    m_file->setText(folder() + u"/switchyard-"_s + title() + (cluster.isEmpty() ? QString() : u'-' + cluster) + u'.' + extension(format));
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
        r.table = shownTable(rows, rowChoice(of()));
        return r;
    }
    r.what = static_cast<What>(m_what->currentData().toInt());
    switch (of()) {
    case ExportOf::Shown:
    case ExportOf::Selected:
        r.records = std::vector<RecordKey>();
        if (const QTableView *rows = recordTable(r.what))
            r.records = recordKeys(rows, rowChoice(of()));
        break;
    case ExportOf::One: r.clusters = {*m_clusters.one}; break;
    case ExportOf::Filtered: r.clusters = m_clusters.shown; break;
    case ExportOf::All: break;
    }
    return r;
}

} // namespace switchyard::views
