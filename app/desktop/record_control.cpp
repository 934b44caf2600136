// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/record_control.h"

#include "views/dialogs/record_dialog.h"
#include "views/words.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

namespace switchyard::desktop {

RecordControl::RecordControl(Monitor *monitor, views::MainWindow *window, QObject *parent)
    : QObject(parent)
    , m_monitor(monitor)
    , m_window(window)
{
    connect(monitor, &Monitor::observed, &m_recorder, &Recorder::add);
    connect(&m_recorder, &Recorder::changed, this, &RecordControl::show);
    connect(&m_recorder, &Recorder::failed, this, &RecordControl::failed);
    connect(window, &views::MainWindow::recordRequested, this, &RecordControl::toggle);
}

void RecordControl::toggle()
{
    if (m_recorder.recording()) {
        const QString file = m_recorder.path();
        m_recorder.stop();
        if (!m_recorder.recording())
            m_window->showMessage(tr("Recorded"), tr("%n observation(s) were recorded.", nullptr, static_cast<int>(m_recorder.lines())),
                                  file);
        return;
    }
    const QString folder = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    const QString name = QDateTime::currentDateTimeUtc().toString(QStringLiteral("'switchyard-'yyyyMMdd'-'HHmmss'Z.ndjson.gz'"));
    auto *dialog = new views::RecordDialog(QDir(folder).filePath(name), m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] { start(dialog->file(), dialog->replaceNames()); });
    dialog->open();
}

void RecordControl::start(const QString &file, bool replaceNames)
{
    const auto started = m_recorder.start(file, {replaceNames}, Recorder::Existing::Replace);
    if (!started) {
        m_window->showMessage(tr("Not recorded"), views::text(started.error().message), views::text(describe(started.error())));
        return;
    }
    for (Connection *connection : m_monitor->connections())
        connection->relist(); // a recording begins with all there is
}

void RecordControl::show()
{
    if (!m_recorder.recording())
        return m_window->setRecording({}, {});
    const QString size = views::bytesText(static_cast<std::uint64_t>(m_recorder.size()));
    const QString since = m_recorder.since() ? views::timeText(*m_recorder.since()) : tr("now");
    m_window->setRecording(
        tr("recording %1").arg(size),
        tr("Recording into %1\nsince %2, %3, %n observation(s). Stop it in the File menu.", nullptr, static_cast<int>(m_recorder.lines()))
            .arg(m_recorder.path(), since, size));
}

void RecordControl::failed(const QString &message)
{
    m_window->showMessage(tr("Recording has stopped"),
                          tr("The file cannot be written any more: %1. What was recorded until a second ago is in it.").arg(message),
                          m_recorder.path());
}

} // namespace switchyard::desktop
