// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Edit the dynamic configuration: as YAML or JSON, judged while one types, with the difference to what is stored now. When somebody else
// changes it meanwhile, both changes are put together before anything can be written.
#include "views/dialogs/action_dialog.h"
#include "views/dialogs/config_tools.h"

#include <QTimer>

#include <map>

class QComboBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QRadioButton;
class QTabWidget;

namespace switchyard::views {

class Banner;
class ConfigEditor;

class EditConfigDialog : public ActionDialog
{
    Q_OBJECT
public:
    EditConfigDialog(const ConfigTools &tools, const patroni::Cluster &cluster, Now now, QWidget *parent = nullptr);
    rules::ActionWish wish() const override;
    void setCluster(const patroni::Cluster &cluster, Now now) override;
    void tick(Now now) override;
    void setWish(const rules::ActionWish &wish) override;
    ConfigEditor *editor() const { return m_editor; }
    QString difference() const;
    QString merged() const; // what the band about somebody else's change says; empty: there was none

protected:
    QList<ShownProblem> ownProblems() override;

private:
    struct Judged
    {
        QList<ShownProblem> problems;
        QStringList remarks;
        QString difference;
        std::map<int, bool> marked; // lines; true: an error
    };
    void judgeUnreadable(Judged &judged) const;
    void judgeSettings(Judged &judged) const;
    void judgeDifference(Judged &judged) const;
    void showJudged(const Judged &judged);
    QWidget *buildHead();
    QWidget *buildBelow();
    void setText(const std::string &json);
    void setYaml(bool yaml);
    void read(); // what was typed
    void merge();
    void showVersions();
    void restore(int index);
    bool movedOn() const; // what is stored is not what the edit started from
    std::string stored() const;

    ConfigTools m_tools;
    std::string m_base;      // what the edit started from: the annotation's text
    std::string m_before;    // the same before others' changes were put together with it
    ConfigReading m_reading; // of what is typed
    bool m_yaml = true;
    QString m_mergeNote;
    QRadioButton *m_asYaml, *m_asJson;
    QComboBox *m_versions;
    Banner *m_moved;
    QPushButton *m_merge;
    ConfigEditor *m_editor;
    QTabWidget *m_below;
    QPlainTextEdit *m_diff, *m_findings;
    QTimer m_later;                     // reading waits for a pause in typing
    std::vector<std::string> m_earlier; // configurations that were seen, newest first
};

} // namespace switchyard::views
