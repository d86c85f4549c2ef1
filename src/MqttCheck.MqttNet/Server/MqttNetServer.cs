using System.Net;
using System.Net.Sockets;
using MqttCheck.Brokers.Processes;
using MQTTnet.Server;

namespace MqttCheck.MqttNet.Server;

/// <summary>MQTTnet's server in this process, as a broker under test.</summary>
public sealed class MqttNetServer : IBrokerUnderTest
{
    private readonly MqttServer _server;
    private readonly bool _isTuned;

    private MqttNetServer(MqttServer server, IPEndPoint address, bool isTuned) =>
        (_server, Address, _isTuned) = (server, address, isTuned);

    /// <inheritdoc/>
    public IPEndPoint Address { get; }

    /// <inheritdoc/>
    public BrokerDescription Description =>
        new()
        {
            Name = _isTuned ? "mqttnet:tuned" : "mqttnet",
            Version = MqttNetSettings.Version,
            Settings = _isTuned ? "tuned" : "default",
            Details = MqttNetSettings.Describe(_isTuned),
        };

    /// <inheritdoc/>
    public Credentials? Credentials => null;

    /// <inheritdoc/>
    public int? ProcessId => null;

    /// <inheritdoc/>
    public string? Failure => _server.IsStarted ? null : "The server of MQTTnet has stopped.";

    /// <summary>Starts a server, and returns when it listens.</summary>
    /// <param name="address">The address to listen on; port 0 takes a free one.</param>
    /// <param name="isTuned">Whether its settings are for throughput.</param>
    /// <exception cref="BrokerException">The address cannot be served: port in use, no permission.</exception>
    public static async Task<MqttNetServer> StartAsync(IPEndPoint address, bool isTuned)
    {
        ArgumentNullException.ThrowIfNull(address);
        var options = MqttNetSettings.Create(address, isTuned);
        var server = new MqttServerFactory().CreateMqttServer(options);
        try
        {
            await server.StartAsync();
        }
        catch (SocketException exception)
        {
            server.Dispose();
            throw new BrokerException(
                $"The server of MQTTnet does not start on {address}: "
                    + $"{exception.Message}. Give another port, or 0 for a free one.",
                exception
            );
        }
        // The package replaces port 0 by the port that it was given.
        return new MqttNetServer(server, new IPEndPoint(address.Address, options.DefaultEndpointOptions.Port), isTuned);
    }

    /// <summary>How many clients are connected, as the server sees it.</summary>
    internal async Task<int> ConnectedClientsAsync() => (await _server.GetClientsAsync()).Count;

    /// <summary>Tells all clients, and closes their connections.</summary>
    public async ValueTask DisposeAsync()
    {
        if (_server.IsStarted)
            await _server.StopAsync(new());
        _server.Dispose();
    }
}
