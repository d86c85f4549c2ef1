using MqttCheck.Broker.Core;
using MqttCheck.Conformance.Generation;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Conformance.Tests.Checking;
using MqttCheck.Conformance.Tests.Spoiled;
using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Tests.Generation;

/// <summary>Scenarios of scale, on the embedded broker in virtual time; seed 1.</summary>
[TestFixture]
internal sealed class ScaleScenariosTests
{
    private static readonly TimeSpan s_minute = TimeSpan.FromMinutes(1);

    [Test]
    public void They_show_nothing_on_the_embedded_broker(
        [Values(ProtocolVersion.V311, ProtocolVersion.V5)] ProtocolVersion version,
        [Values(0, 1, 2, 3)] int number
    )
    {
        using var broker = new VirtualBroker();
        var scenario = new ScaleScenarios([version], 1).Next((ulong)number, s_minute);
        var result = broker.Run(scenario);
        Assert.That(result.Deviations.Select(deviation => deviation.Explanation), Is.Empty);
        Assert.That(result.Reached, Is.EqualTo(scenario.Steps.Count));
    }

    [Test]
    public void The_first_sends_more_messages_than_there_are_packet_identifiers_if_there_is_time()
    {
        var scenarios = new ScaleScenarios([ProtocolVersion.V311, ProtocolVersion.V5], 1);
        Assert.That(Messages(s_minute), Is.GreaterThan(ushort.MaxValue));
        Assert.That(Messages(TimeSpan.FromSeconds(30)), Is.LessThan(ScaleScenarios.Packets));

        int Messages(TimeSpan left) =>
            scenarios.Next(0, left).Steps.Sum(step => step.Command is PublishCommand publish ? publish.Times : 0);
    }

    [TestCase("ManyMessagesAreLost")]
    public void A_fault_behind_as_many_messages_as_there_are_identifiers_is_seen(string fault)
    {
        var spoiling = Spoilings.All.Single(spoiling => spoiling.Name == fault);
        using var broker = new VirtualBroker(through: spoiling.Through);
        var result = broker.Run(new ScaleScenarios([ProtocolVersion.V311], 1).Next(0, s_minute));
        Assert.That(
            result.Deviations.Select(deviation => deviation.Statement.Name).Distinct(),
            Is.SubsetOf(spoiling.Statements)
        );
        Assert.That(result.Deviations, Is.Not.Empty);
    }

    [Test]
    public void The_second_lasts_as_long_as_there_is_time_and_at_most_a_minute()
    {
        var scenarios = new ScaleScenarios([ProtocolVersion.V5], 1);
        Assert.That(Waits(TimeSpan.FromSeconds(35)), Is.EqualTo(30_000));
        Assert.That(Waits(TimeSpan.FromHours(1)), Is.EqualTo(60_000));
        Assert.That(Waits(TimeSpan.FromSeconds(15)), Is.Zero);

        int Waits(TimeSpan left) =>
            scenarios.Next(1, left).Steps.Sum(step => step.Command is WaitCommand wait ? wait.Milliseconds : 0);
    }

    [Test]
    public void A_session_gets_300_subscriptions_and_publications_to_the_last_of_them()
    {
        var steps = new ScaleScenarios([ProtocolVersion.V5], 1).Next(3, s_minute).Steps;
        var filters = steps
            .Select(step => step.Command)
            .OfType<SubscribeCommand>()
            .SelectMany(subscribe => subscribe.Requests)
            .Select(request => request.Filter)
            .ToList();
        Assert.That(filters.Distinct().Count(), Is.EqualTo(ScaleScenarios.Subscriptions));
        var topics = steps.Select(step => step.Command).OfType<PublishCommand>().Select(publish => publish.Topic);
        Assert.That(topics.Intersect(filters.Skip(256)), Is.Not.Empty);
    }

    [Test]
    public void A_hundred_packets_come_in_one_piece()
    {
        var steps = new ScaleScenarios([ProtocolVersion.V5], 1).Next(2, s_minute).Steps;
        Assert.That(steps.Count(step => step.Command.WithNext), Is.EqualTo(ScaleScenarios.Packets - 1));
        Assert.That(steps[^1].Command.WithNext, Is.False);
    }
}
