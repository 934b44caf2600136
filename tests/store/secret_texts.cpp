// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "secret_texts.h"

namespace switchyard::test::secrets {

namespace {

// As JSON text within JSON text.
std::string quoted(const std::string &text)
{
    std::string out = "\"";
    for (const char c : text) {
        if (c != '\n')
            out += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    }
    return out + '"';
}

std::string event(const std::string &metadata, const std::string &rest = {})
{
    return R"({"type":"MODIFIED","object":{"metadata":{"name":)" + metadata + "}" + rest + "}}";
}

const auto config =
    R"({"ttl":30,"loop_wait":10,"custom_token":"hunter-04","postgresql":{"parameters":{"max_connections":100,
"primary_conninfo":"host=10.9.0.1 password=hunter-05","archive_command":"AWS_SECRET_ACCESS_KEY=hunter-06 wal-g push --password hunter-07 %p",
"restore_command":"curl -u me:hunter-08 -H 'Authorization: Bearer hunter-09' http://x/%f","log_line_prefix":"PASSWORD = 'hunter-10 x'",
"odd":"postgres://u:hunter-11@h/db","odd2":"sslpassword=hunter-12","odd3":"pgpassword=\"hunter-13\""},
"authentication":{"superuser":{"username":"postgres","password":"hunter-14"},"replication":{"password":"hunter-15"}},
"pg_hba":["host all all 0.0.0.0/0 ldap ldapbindpasswd=\"hunter-16\""],"callbacks":{"on_start":"/x hunter-17"},
"env":{"A":"hunter-18"}},"standby_cluster":{"host":"10.9.0.1","primary_conninfo_extra":"hunter-19","restore_command":"hunter-20"},
"slots":{"payroll":{"type":"logical","database":"payroll"}},"restapi":{"authentication":{"username":"u","Passwd":"hunter-21"}},
"s3":{"secretKey":"hunter-22","apiKey":["hunter-23",{"x":"hunter-24"}]}})";

const auto status =
    R"({"conn_url":"postgres://u:hunter-25@10.9.0.1:5432/postgres","api_url":"https://me:hunter-26@10.9.0.1:8008/patroni","state":"running",
"role":"primary","version":"4.0.7","timeline":2,"tags":{"note":"token=hunter-27","db_password":"hunter-28"},"unknown_key":"hunter-29",
"pending_restart_reason":{"primary_conninfo":{"old_value":"password=hunter-30","new_value":"hunter-31"}}})";

} // namespace

std::vector<Line> lines()
{
    const std::string owner = R"(,"ownerReferences":[{"kind":"StatefulSet","name":"acme","uid":"u-1"}])";
    return {
        {Resource::Endpoints,
         event(R"("acme-config","namespace":"db","labels":{"application":"patroni","cluster-name":"acme","access-token":"hunter-32",
"x":"eyJhbGciOi.hunter-33"},"managedFields":[{"fieldsV1":{"f:x":"hunter-34"}}],"annotations":{"initialize":"7713576556860619536","config":)"
               + quoted(config) + R"(,"history":"[[1,2,\"password=hunter-35\",\"2031-02-01T06:00:00+00:00\",\"acme-0\"]]",
"kubectl.kubernetes.io/last-applied-configuration":"{\"data\":\"hunter-36\"}"})"
               + owner)},
        {Resource::ConfigMaps,
         event(R"("acme-settings","annotations":{"PGPASSWORD":"hunter-37","note":"hunter-38"})", R"(,"data":{"a":"hunter-39"})")},
        {Resource::Pods,
         event(R"("acme-0","namespace":"db","labels":{"cluster-name":"acme"},"annotations":{"vault/token":"hunter-40","status":)"
                   + quoted(status) + "}" + owner,
               R"(,"spec":{"nodeName":"n","containers":[{"name":"postgres","env":[{"name":"PGPASSWORD","value":"hunter-01"}],
"args":["--password=hunter-02"]}]},"status":{"phase":"Running","podIP":"10.9.0.1","message":"hunter-03"})")},
        {Resource::Endpoints,
         event(R"("acme","namespace":"db","labels":{"cluster-name":"acme"},"annotations":{"leader":"acme-0","renewTime":"x hunter=1",
"failsafe":"{\"acme-0\":\"https://u:hunter-04@10.9.0.1:8008/patroni\"}","slots":"{\"payroll\":7}"})",
               R"(,"subsets":[{"addresses":[{"ip":"10.9.0.1","targetRef":{"kind":"Pod","name":"acme-0"}}]}])")},
        {Resource::Events,
         event(
             R"("acme-0.17a","namespace":"db")",
             R"(,"involvedObject":{"kind":"Pod","name":"acme-0"},"reason":"Unhealthy","message":"psql password=hunter-05: hunter-06","type":"Warning")")},
    };
}

} // namespace switchyard::test::secrets
