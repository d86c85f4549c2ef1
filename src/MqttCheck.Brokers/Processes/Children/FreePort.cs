using System.Net;
using System.Net.Sockets;

namespace MqttCheck.Brokers.Processes.Children;

/// <summary>Ports of the loopback interface.</summary>
internal static class FreePort
{
    /// <summary>A port that nobody used a moment ago; somebody may take it before the broker does.</summary>
    public static int Find()
    {
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        return ((IPEndPoint)socket.LocalEndPoint!).Port;
    }

    /// <summary>Whether a broker could not listen on a port.</summary>
    /// <param name="port">The port.</param>
    public static bool IsTaken(int port)
    {
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        try
        {
            socket.Bind(new IPEndPoint(IPAddress.Loopback, port));
            return false;
        }
        catch (SocketException)
        {
            return true;
        }
    }
}
