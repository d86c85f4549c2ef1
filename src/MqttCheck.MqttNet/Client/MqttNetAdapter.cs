using System.Net;
using System.Security.Cryptography.X509Certificates;
using MQTTnet;
using MQTTnet.Adapter;
using MQTTnet.Formatter;
using MQTTnet.Packets;

namespace MqttCheck.MqttNet.Client;

/// <summary>
/// Wraps the library's own adapter to watch two things. It counts the bytes that wait to be sent, which the library
/// does not report. It also handles a broker that asks for a keep alive although the client offered none. The library
/// would end such a connection at once, because it waits for PINGRESP for half of the offered period.
/// </summary>
internal sealed class MqttNetAdapter(IMqttChannelAdapter inner, MqttClientOptions options, MqttNetBacklog backlog)
    : IMqttChannelAdapter
{
    private bool _isConnected;

    /// <inheritdoc/>
    public long BytesReceived => inner.BytesReceived;

    /// <inheritdoc/>
    public long BytesSent => inner.BytesSent;

    /// <inheritdoc/>
    public X509Certificate2 ClientCertificate => inner.ClientCertificate;

    /// <inheritdoc/>
    public EndPoint RemoteEndPoint => inner.RemoteEndPoint;

    /// <inheritdoc/>
    public EndPoint LocalEndPoint => inner.LocalEndPoint;

    /// <inheritdoc/>
    public bool IsSecureConnection => inner.IsSecureConnection;

    /// <inheritdoc/>
    public MqttPacketFormatterAdapter PacketFormatterAdapter => inner.PacketFormatterAdapter;

    /// <inheritdoc/>
    public Task ConnectAsync(CancellationToken cancellationToken) => inner.ConnectAsync(cancellationToken);

    /// <inheritdoc/>
    public Task DisconnectAsync(CancellationToken cancellationToken) => inner.DisconnectAsync(cancellationToken);

    /// <inheritdoc/>
    public Task<MqttPacket> ReceivePacketAsync(CancellationToken cancellationToken) =>
        _isConnected ? inner.ReceivePacketAsync(cancellationToken) : ReceiveConnackAsync(cancellationToken);

    /// <inheritdoc/>
    public Task SendPacketAsync(MqttPacket packet, CancellationToken cancellationToken)
    {
        var sending = inner.SendPacketAsync(packet, cancellationToken);
        return sending.IsCompleted || packet is not MqttPublishPacket publish
            ? sending
            : backlog.WatchAsync(sending, publish.Payload.Length);
    }

    /// <inheritdoc/>
    public void ResetStatistics() => inner.ResetStatistics();

    /// <inheritdoc/>
    public void Dispose() => inner.Dispose();

    private async Task<MqttPacket> ReceiveConnackAsync(CancellationToken cancellationToken)
    {
        var packet = await inner.ReceivePacketAsync(cancellationToken).ConfigureAwait(false);
        if (packet is not MqttConnAckPacket connack)
            return packet;
        _isConnected = true;
        if (connack.ServerKeepAlive > 0 && options.KeepAlivePeriod == TimeSpan.Zero)
            options.KeepAlivePeriod = TimeSpan.FromSeconds(connack.ServerKeepAlive);
        return packet;
    }
}
