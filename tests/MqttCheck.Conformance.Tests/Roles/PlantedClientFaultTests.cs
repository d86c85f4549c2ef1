using MqttCheck.Conformance.Roles.Scripts;
using MqttCheck.Conformance.Roles.Searching;
using MqttCheck.Protocol;
using static MqttCheck.Conformance.Tests.Roles.ClientFault;

namespace MqttCheck.Conformance.Tests.Roles;

/// <summary>Faults of a scripted client in virtual time.</summary>
[TestFixture]
internal sealed class PlantedClientFaultTests
{
    private const int Scripts = 128;
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(2);

    private static readonly (ClientFault Fault, string In311, string In5)[] s_faults =
    [
        (ResendsWithoutDup, "MQTT-3.3.1-1", "MQTT-3.3.1-1"),
        (DoesNotResend, "MQTT-4.4.0-1", "MQTT-4.4.0-1"),
        (ResendsReversed, "MQTT-4.6.0-1", "MQTT-4.6.0-1"),
        (TakesOneIdentifier, "MQTT-2.3.1-2", "MQTT-2.2.1-3"),
        (PublishesBehindPubrel, "MQTT-4.3.3-1", "MQTT-4.3.3-6"),
        (SendsNoPubrel, "MQTT-4.3.3-1", "MQTT-4.3.3-4"),
        (ReversesPubrel, "MQTT-4.6.0-4", "MQTT-4.6.0-4"),
        (SendsNoPuback, "MQTT-4.3.2-2", "MQTT-4.3.2-4"),
        (ReversesPuback, "MQTT-4.6.0-2", "MQTT-4.6.0-2"),
        (SendsNoPubrec, "MQTT-4.3.3-2", "MQTT-4.3.3-8"),
        (ReversesPubrec, "MQTT-4.6.0-3", "MQTT-4.6.0-3"),
        (SendsNoPubcomp, "MQTT-4.3.3-2", "MQTT-4.3.3-11"),
        (AnswersWrongIdentifier, "MQTT-2.3.1-6", "MQTT-2.2.1-5"),
        (AnswersQos2ByPuback, "MQTT-4.5.0-2", "MQTT-4.5.0-2"),
        (DoesNotPing, "MQTT-3.1.2-23", "MQTT-3.1.2-20"),
        (IgnoresServerKeepAlive, "", "MQTT-3.2.2-21"),
        (IgnoresReceiveMaximum, "", "MQTT-3.3.4-7"),
        (IgnoresMaximumQos, "", "MQTT-3.2.2-11"),
        (IgnoresRetainAvailable, "", "MQTT-3.2.2-14"),
        (IgnoresMaximumPacketSize, "", "MQTT-3.2.2-15"),
        (IgnoresAliasMaximum, "", "MQTT-3.2.2-18"),
        (KeepsAliases, "", "MQTT-3.3.2-7"),
        (ResendsLive, "", "MQTT-4.4.0-1"),
        (ResendsRefused, "", "MQTT-4.4.0-2"),
        (ResendsAcknowledged, "MQTT-4.3.2-1", "MQTT-4.4.0-1"),
        (KeepsState, "", "MQTT-3.2.2-5"),
        (BelievesInSession, "", "MQTT-3.2.2-4"),
        (IgnoresMalformed, "MQTT-4.8.0-1", "section 4.13"),
        (SendsBehindDisconnect, "MQTT-3.14.4-2", "MQTT-3.14.4-1"),
        (StaysBehindDisconnect, "MQTT-3.14.4-1", "MQTT-3.14.4-2"),
        (ConnectsTwice, "section 3.1", "section 3.1"),
        (Authenticates, "", "MQTT-4.12.0-7"),
        (SetsDupAtFirst, "MQTT-4.3.2-1", "MQTT-4.3.2-2"),
        (PublishesToWildcard, "section 1.5", "section 1.5"),
        (ClosesOnRetain, "section 4.8", "section 4.13"),
    ];

    public static IEnumerable<TestCaseData> Faults =>
        from fault in s_faults
        from version in new[] { ProtocolVersion.V311, ProtocolVersion.V5 }
        let statement = version == ProtocolVersion.V5 ? fault.In5 : fault.In311
        where statement.Length > 0
        select new TestCaseData(fault.Fault, version, statement);

    [TestCaseSource(nameof(Faults))]
    public async Task Finds_the_fault_under_its_statement(ClientFault fault, ProtocolVersion version, string statement)
    {
        var report = await Check(new(version, fault));
        Assert.That(report.Findings, Is.Not.Empty);
        var first = report.Findings.First(finding => finding.ExplainedBy is null);
        Assert.That(
            first.Id,
            Is.EqualTo(statement),
            string.Join(
                '\n',
                report.Findings.Select(finding => $"{finding.Id} {finding.Deviation.Key}: {finding.Script}")
            )
        );
        Assert.That(first.Hits, Is.EqualTo(first.Replays));
    }

    [TestCase(ProtocolVersion.V311, "MQTT-3.1.2-6")]
    [TestCase(ProtocolVersion.V5, "MQTT-3.1.2-4")]
    public async Task Finds_state_that_outlives_a_clean_session(ProtocolVersion version, string statement)
    {
        var report = await Check(new(version, KeepsState, IsClean: true));
        Assert.That(report.Findings[0].Id, Is.EqualTo(statement));
    }

    // No deviation is allowed, whatever the seed.
    [Test]
    public void A_client_that_does_what_is_right_has_no_deviation(
        [Values(ProtocolVersion.V311, ProtocolVersion.V5)] ProtocolVersion version,
        [Values] bool isClean
    )
    {
        for (var number = 0; number < 200; number++)
        {
            var script = BrokerScriptGenerator.Draw(3, number);
            var run = VirtualProgram.Play(script, new(version, IsClean: isClean), s_patience);
            Assert.That(
                run.Deviations.Select(deviation => $"{deviation.Key}: {deviation.Explanation}"),
                Is.Empty,
                script.ToString()
            );
        }
    }

    private static async Task<ClientReport> Check(ScriptedProgram program)
    {
        using var check = new ClientCheck(
            (script, patience, _) => Task.FromResult(VirtualProgram.Play(script, program, patience)),
            new()
            {
                Seed = 1,
                Budget = TimeSpan.FromMinutes(1),
                MostScripts = Scripts,
                Lanes = 1,
            }
        );
        return await check.ExploreAsync(CancellationToken.None);
    }
}
