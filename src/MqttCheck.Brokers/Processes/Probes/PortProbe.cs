using System.Net;
using System.Net.Sockets;

namespace MqttCheck.Brokers.Processes.Probes;

/// <summary>Checks whether a program listens at a port, whatever its protocol.</summary>
internal static class PortProbe
{
    /// <summary>Asks once.</summary>
    /// <param name="address">The address of the port.</param>
    /// <param name="cancellation">Gives up.</param>
    /// <returns>Null when it listens; otherwise what happened instead, as the end of a sentence.</returns>
    public static async Task<string?> AskAsync(IPEndPoint address, CancellationToken cancellation)
    {
        using var socket = new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        try
        {
            await socket.ConnectAsync(address, cancellation);
            return null;
        }
        catch (SocketException failure)
        {
            return $"does not listen: {failure.Message}";
        }
    }
}
