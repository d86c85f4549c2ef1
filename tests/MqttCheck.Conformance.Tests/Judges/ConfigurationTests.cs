using MqttCheck.Conformance.Scenarios;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Tests.Judges;

/// <summary>
/// What a broker refuses because it is set up so is of the class configuration, whatever the packet it refuses; what it
/// refuses for what was sent is not.
/// </summary>
[TestFixture]
internal sealed class ConfigurationTests
{
    private const int A = 0;

    [TestCase(ReasonCode.NotAuthorized, ExpectedResult = "permitted Configuration")]
    [TestCase(ReasonCode.BadUserNameOrPassword, ExpectedResult = "permitted Configuration")]
    [TestCase(ReasonCode.ServerUnavailable, ExpectedResult = "connack Must")]
    public string A_refused_CONNECT(ReasonCode code) => Judged(new TraceScript().Connect(A, answer: code));

    [TestCase(ReasonCode.NotAuthorized, null, ExpectedResult = "permitted Configuration")]
    [TestCase(ReasonCode.QuotaExceeded, null, ExpectedResult = "permitted Configuration")]
    [TestCase(ReasonCode.UnspecifiedError, null, ExpectedResult = "filter-accepted Option")]
    [TestCase(ReasonCode.WildcardSubscriptionsNotSupported, null, ExpectedResult = "filter-accepted Option")]
    [TestCase(ReasonCode.WildcardSubscriptionsNotSupported, false, ExpectedResult = "offered Configuration")]
    public string A_refused_filter(ReasonCode code, bool? offered) =>
        Judged(
            new TraceScript(ProtocolVersion.V5)
                .AsksToConnect(A)
                .Gets(
                    A,
                    new ConnackPacket(false, ReasonCode.Success)
                    {
                        Properties = new PacketProperties { WildcardSubscriptionAvailable = offered },
                    }
                )
                .Sends(A, new SubscribePacket(1, [new SubscriptionRequest("x/#", QualityOfService.AtLeastOnce)]))
                .Gets(A, new SubackPacket(1, [code]))
        );

    [TestCase("x/a", ReasonCode.NotAuthorized, ExpectedResult = "permitted Configuration")]
    [TestCase("$x/a", ReasonCode.NotAuthorized, ExpectedResult = "")]
    [TestCase("x/a", ReasonCode.NoMatchingSubscribers, ExpectedResult = "")]
    public string A_refused_publication(string topic, ReasonCode code) =>
        Judged(
            new TraceScript(ProtocolVersion.V5)
                .Connect(A)
                .Sends(
                    A,
                    new PublishPacket
                    {
                        Topic = topic,
                        Qos = QualityOfService.AtLeastOnce,
                        PacketId = 10,
                        Payload = new ScenarioNames("x").Payload(1),
                    }
                )
                .Gets(A, new PubackPacket(10, code))
        );

    [TestCase(ReasonCode.NotAuthorized, ExpectedResult = "permitted Configuration")]
    [TestCase(ReasonCode.UnspecifiedError, ExpectedResult = "puback Must")]
    public string A_connection_that_is_ended_for_a_publication(ReasonCode code) =>
        Judged(
            new TraceScript(ProtocolVersion.V5)
                .Connect(A)
                .Sends(
                    A,
                    new PublishPacket
                    {
                        Topic = "x/a",
                        Qos = QualityOfService.AtLeastOnce,
                        PacketId = 10,
                        Payload = new ScenarioNames("x").Payload(1),
                    }
                )
                .Gets(A, new DisconnectPacket(code))
                .Closed(A)
        );

    // Each of these may be an accident of that moment: it counts only when it comes in every repetition.
    private static string Judged(TraceScript script)
    {
        Assert.That(script.Monitor.Deviations.Select(deviation => deviation.MustRecur), Is.All.True);
        return string.Join(
            ' ',
            script.Monitor.Deviations.Select(deviation => $"{deviation.Statement.Name} {deviation.Statement.Class}")
        );
    }
}
