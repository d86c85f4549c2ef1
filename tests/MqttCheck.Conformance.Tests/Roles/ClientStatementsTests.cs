using MqttCheck.Conformance.Account;
using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Roles.Watching;
using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Tests.Roles;

[TestFixture]
internal sealed class ClientStatementsTests
{
    [Test]
    public void Every_number_is_a_duty_of_clients_in_the_account_of_the_standard(
        [Values(ProtocolVersion.V311, ProtocolVersion.V5)] ProtocolVersion version
    )
    {
        var duties = StandardAccount
            .All.Where(one => one.Version == version && one.Owner != Duty.Server)
            .Select(one => one.Id);
        var numbers = ClientStatements
            .All.Where(statement => statement.AppliesTo(version))
            .Select(statement => statement.Id(version))
            .Where(id => id.StartsWith("MQTT-", StringComparison.Ordinal))
            .Distinct();
        Assert.That(numbers, Is.SubsetOf(duties));
    }

    [Test]
    public void Every_name_is_unique_and_every_sentence_ends() =>
        Assert.Multiple(() =>
        {
            Assert.That(ClientStatements.All.Select(statement => statement.Name), Is.Unique);
            Assert.That(ClientStatements.All.Select(statement => statement.Text), Has.All.EndsWith("."));
        });

    [Test]
    public void A_statement_is_found_by_number_name_and_beginning() =>
        Assert.That(
            new[] { "MQTT-3.3.4-7", "receive-maximum", "receive*" }.Select(text =>
                Statements.Find(text, "--only", ClientStatements.All).Single()
            ),
            Has.All.EqualTo(ClientStatements.ReceiveMaximum)
        );
}
