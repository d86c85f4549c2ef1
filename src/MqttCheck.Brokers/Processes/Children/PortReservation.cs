using System.Net;
using System.Net.Sockets;

namespace MqttCheck.Brokers.Processes.Children;

/// <summary>
/// A port of the loopback interface that is reserved for a program which may be restarted. A socket is bound to the
/// port without listening, so the system gives the port to nobody else. A program that binds this port with
/// SO_REUSEADDR, as servers do, gets it.
/// </summary>
internal sealed class PortReservation : IDisposable
{
    private readonly Socket _socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);

    /// <summary>Reserves a free port.</summary>
    public PortReservation()
    {
        _socket.SetSocketOption(SocketOptionLevel.Socket, SocketOptionName.ReuseAddress, optionValue: true);
        _socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
    }

    /// <summary>The port.</summary>
    public int Port => ((IPEndPoint)_socket.LocalEndPoint!).Port;

    /// <summary>The address.</summary>
    public IPEndPoint Address => new(IPAddress.Loopback, Port);

    /// <summary>Gives the port back.</summary>
    public void Dispose() => _socket.Dispose();
}
