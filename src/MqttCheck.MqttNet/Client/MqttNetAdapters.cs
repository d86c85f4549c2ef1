using MQTTnet;
using MQTTnet.Adapter;
using MQTTnet.Diagnostics.Logger;
using MQTTnet.Implementations;

namespace MqttCheck.MqttNet.Client;

/// <summary>Makes the library's own adapters, watched.</summary>
/// <param name="backlog">Told of bytes that wait to be sent.</param>
internal sealed class MqttNetAdapters(MqttNetBacklog backlog) : IMqttClientAdapterFactory
{
    private static readonly MqttClientAdapterFactory s_own = new();

    /// <inheritdoc/>
    public IMqttChannelAdapter CreateClientAdapter(
        MqttClientOptions options,
        MqttPacketInspector packetInspector,
        IMqttNetLogger logger
    ) => new MqttNetAdapter(s_own.CreateClientAdapter(options, packetInspector, logger), options, backlog);
}
