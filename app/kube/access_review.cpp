// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kube/access_review.h"

#include <QJsonDocument>
#include <QJsonObject>

namespace switchyard::kube {

using namespace Qt::StringLiterals;

namespace {

QByteArray body(const QString &apiVersion, const QString &kind, const QJsonObject &spec)
{
    QJsonObject review{{u"apiVersion"_s, apiVersion}, {u"kind"_s, kind}};
    if (!spec.isEmpty())
        review.insert(u"spec"_s, spec);
    return QJsonDocument(review).toJson(QJsonDocument::Compact);
}

} // namespace

QString accessReviewPath()
{
    return u"/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"_s;
}

QString selfReviewPath()
{
    return u"/apis/authentication.k8s.io/v1/selfsubjectreviews"_s;
}

QByteArray accessReviewBody(const AccessQuestion &question)
{
    QJsonObject attributes;
    const auto slash = question.resource.find('/'); // pods/proxy
    const std::string resource = question.resource.substr(0, slash);
    const std::string part = slash == std::string::npos ? std::string() : question.resource.substr(slash + 1);
    const std::pair<QString, const std::string &> fields[] = {{u"verb"_s, question.verb},    {u"group"_s, question.group},
                                                              {u"resource"_s, resource},     {u"subresource"_s, part},
                                                              {u"namespace"_s, question.ns}, {u"name"_s, question.name}};
    for (const auto &[key, value] : fields) {
        if (!value.empty()) // no namespace: all of them; no name: any
            attributes.insert(key, QString::fromStdString(value));
    }
    return body(u"authorization.k8s.io/v1"_s, u"SelfSubjectAccessReview"_s, {{u"resourceAttributes"_s, attributes}});
}

AccessAnswer readAccessReview(const Response &response)
{
    if (!response.ok())
        return {std::nullopt, describe(*response.error), response.error};
    const QJsonObject status = QJsonDocument::fromJson(response.body).object().value(u"status"_s).toObject();
    const QJsonValue allowed = status.value(u"allowed"_s);
    const QString reason = status.value(u"reason"_s).toString(), trouble = status.value(u"evaluationError"_s).toString();
    AccessAnswer answer{std::nullopt, reason.toStdString(), std::nullopt};
    if (!allowed.isBool())
        answer.reason = "the answer to the access review cannot be read";
    else if (allowed.toBool() || status.value(u"denied"_s).toBool() || trouble.isEmpty())
        answer.allowed = allowed.toBool();
    else // nobody allowed it, but somebody who might have could not be asked
        answer.reason = trouble.toStdString();
    return answer;
}

QByteArray selfReviewBody()
{
    return body(u"authentication.k8s.io/v1"_s, u"SelfSubjectReview"_s, {});
}

QString readSelfReview(const Response &response)
{
    if (!response.ok())
        return {};
    const QJsonObject review = QJsonDocument::fromJson(response.body).object();
    return review.value(u"status"_s).toObject().value(u"userInfo"_s).toObject().value(u"username"_s).toString();
}

} // namespace switchyard::kube
