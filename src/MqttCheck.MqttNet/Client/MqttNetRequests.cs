using System.Buffers;
using System.Text;
using MqttCheck.Brokers.Wire;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Frames;
using MqttCheck.Protocol.Packets;
using MQTTnet;
using MQTTnet.Formatter;
using MQTTnet.Packets;
using MQTTnet.Protocol;

namespace MqttCheck.MqttNet.Client;

/// <summary>Converts the packets that a handler sends into the options of the library's calls.</summary>
internal static class MqttNetRequests
{
    // This is the library's own default. The deadline of an exchange comes first.
    private static readonly TimeSpan s_timeout = TimeSpan.FromSeconds(100);

    /// <summary>CONNECT as options.</summary>
    /// <param name="connect">The packet.</param>
    /// <param name="endpoint">The address of the broker.</param>
    /// <param name="channel">The transport of the connection.</param>
    public static MqttClientOptions Options(
        ConnectPacket connect,
        WireEndpoint endpoint,
        IMqttClientChannelOptions channel
    ) =>
        new()
        {
            ChannelOptions = channel,
            ProtocolVersion =
                connect.ProtocolVersion >= ProtocolVersion.V5 ? MqttProtocolVersion.V500 : MqttProtocolVersion.V311,
            ClientId = connect.ClientId,
            CleanSession = connect.CleanStart,
            Credentials = connect.UserName is { } user
                ? new MqttClientCredentials(user, connect.Password?.Span.ToArray())
                : null,
            KeepAlivePeriod = TimeSpan.FromSeconds(connect.KeepAliveSeconds),
            SessionExpiryInterval = connect.Properties.SessionExpiryIntervalSeconds ?? 0,
            ReceiveMaximum = connect.Properties.ReceiveMaximum ?? 0,
            MaximumPacketSize = connect.Properties.MaximumPacketSizeBytes ?? 0,
            Timeout = endpoint.ConnectTimeout * 2 > s_timeout ? endpoint.ConnectTimeout * 2 : s_timeout,
        };

    /// <summary>
    /// PUBLISH as a message. The payload is copied, because the library may send it when the packet is gone.
    /// </summary>
    /// <param name="publish">The packet.</param>
    public static MqttApplicationMessage Message(in PublishView publish) =>
        new()
        {
            Topic = Encoding.UTF8.GetString(publish.Topic),
            Payload = new ReadOnlySequence<byte>(publish.Payload.ToArray()),
            QualityOfServiceLevel = (MqttQualityOfServiceLevel)publish.Qos,
            Retain = publish.Retain,
            Dup = publish.Duplicate,
        };

    /// <summary>SUBSCRIBE as options.</summary>
    /// <param name="subscribe">The packet.</param>
    public static MqttClientSubscribeOptions Subscription(SubscribePacket subscribe)
    {
        var options = new MqttClientSubscribeOptions();
        foreach (var request in subscribe.Subscriptions)
        {
            options.TopicFilters.Add(
                new MqttTopicFilter
                {
                    Topic = request.Filter,
                    QualityOfServiceLevel = (MqttQualityOfServiceLevel)request.Qos,
                    NoLocal = request.NoLocal,
                    RetainAsPublished = request.RetainAsPublished,
                    RetainHandling = (MqttRetainHandling)request.RetainHandling,
                }
            );
        }
        return options;
    }

    /// <summary>UNSUBSCRIBE as options.</summary>
    /// <param name="unsubscribe">The packet.</param>
    public static MqttClientUnsubscribeOptions Unsubscription(UnsubscribePacket unsubscribe)
    {
        var options = new MqttClientUnsubscribeOptions();
        foreach (var filter in unsubscribe.Filters)
            options.TopicFilters.Add(filter);
        return options;
    }

    /// <summary>DISCONNECT as options.</summary>
    /// <param name="disconnect">The packet.</param>
    public static MqttClientDisconnectOptions Leaving(DisconnectPacket disconnect) =>
        new()
        {
            Reason = (MqttClientDisconnectOptionsReason)disconnect.ReasonCode,
            SessionExpiryInterval = disconnect.Properties.SessionExpiryIntervalSeconds ?? 0,
        };
}
