using System.Text;
using MqttCheck.Broker.Faults;
using MqttCheck.Broker.Routing;
using MqttCheck.Broker.Sessions;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Topics;

namespace MqttCheck.Broker.Core;

/// <content>What mutants and unusual habits need that the core does not.</content>
public sealed partial class BrokerCore
{
    private bool Is(BrokerMutant mutant) => _mutant == mutant;

    private bool Has(BrokerHabits habit) => (_habits & habit) != 0;

    private uint DelaySeconds(Will will) =>
        _mutant switch
        {
            BrokerMutant.WillDelayIgnored => 0,
            BrokerMutant.WillDelayAtMostTwo => Math.Min(2, will.DelaySeconds),
            _ => will.DelaySeconds,
        };

    private bool SendsExpired(bool isHead) =>
        Is(BrokerMutant.ExpiredQueueSent) || (isHead && Is(BrokerMutant.ExpiredHeadSent));

    private bool ChangesStore(Message message) =>
        _mutant switch
        {
            BrokerMutant.Qos0NotRetained => message.Qos > QualityOfService.AtMostOnce,
            BrokerMutant.Qos0DoesNotDelete => message.Qos > QualityOfService.AtMostOnce || !message.Payload.IsEmpty,
            BrokerMutant.DeleteIgnored => !message.Payload.IsEmpty,
            _ => true,
        };

    private static bool IsParentOf(string filter, Message message) =>
        filter.EndsWith("/#", StringComparison.Ordinal)
        && TopicFilter.Matches(filter[..^2], Encoding.UTF8.GetString(message.Topic));

    private void RemoveCovered(Session session, string filter)
    {
        foreach (
            var other in session
                .Subscriptions.Keys.Where(other => other != filter && FilterRelations.Covers(filter, other))
                .ToArray()
        )
            _router.Remove(session, other);
    }

    private static ReadOnlySpan<byte> WithoutByteOrderMarks(ReadOnlySpan<byte> topic) =>
        topic.IndexOf("\uFEFF"u8) < 0
            ? topic
            : Encoding.UTF8.GetBytes(Encoding.UTF8.GetString(topic).Replace("\uFEFF", "", StringComparison.Ordinal));
}
