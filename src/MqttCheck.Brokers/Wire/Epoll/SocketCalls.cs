using System.Net;
using System.Net.Sockets;

namespace MqttCheck.Brokers.Wire.Epoll;

/// <summary>
/// Sockets of the loop, by native calls. The class <see cref="Socket"/> is avoided, because its own event loop would
/// wake a second thread for every packet.
/// </summary>
internal static unsafe class SocketCalls
{
    /// <summary>A non-blocking TCP socket.</summary>
    /// <param name="family">IPv4 or IPv6.</param>
    /// <returns>The descriptor, negative for an error.</returns>
    public static int Create(AddressFamily family)
    {
        const int ipv4 = 2,
            ipv6 = 10;
        return LibC.Socket(
            family == AddressFamily.InterNetworkV6 ? ipv6 : ipv4,
            LibC.StreamSocket | LibC.NonBlocking | LibC.CloseOnExec,
            0
        );
    }

    /// <summary>Disables Nagle's algorithm, and enables arrival stamps.</summary>
    /// <param name="descriptor">The socket.</param>
    public static void Prepare(int descriptor)
    {
        LibC.SetSocketOption(descriptor, LibC.Tcp, LibC.NoDelay, 1);
        StampedReceiver.Enable(descriptor);
    }

    /// <summary>Starts to connect.</summary>
    /// <param name="descriptor">The socket.</param>
    /// <param name="address">The address to connect to.</param>
    /// <returns>0 when connected or under way, otherwise the error.</returns>
    public static int Connect(int descriptor, IPEndPoint address)
    {
        var native = address.Serialize();
        fixed (byte* bytes = native.Buffer.Span)
        {
            if (LibC.Connect(descriptor, bytes, (uint)native.Size) == 0)
                return 0;
        }
        // An interrupted connect continues in the background.
        return Errno.Last is var error && error is Errno.InProgress or Errno.Interrupted ? 0 : error;
    }

    /// <summary>Binds and listens.</summary>
    /// <param name="descriptor">The socket.</param>
    /// <param name="address">The address to listen on.</param>
    /// <returns>0, or the error.</returns>
    public static int Listen(int descriptor, IPEndPoint address)
    {
        const int backlog = 4096;
        LibC.SetSocketOption(descriptor, LibC.SocketLevel, LibC.ReuseAddress, 1);
        var native = address.Serialize();
        fixed (byte* bytes = native.Buffer.Span)
        {
            if (LibC.Bind(descriptor, bytes, (uint)native.Size) != 0)
                return Errno.Last;
        }
        return LibC.Listen(descriptor, backlog) == 0 ? 0 : Errno.Last;
    }

    /// <summary>The address a socket is bound to.</summary>
    /// <param name="descriptor">The socket.</param>
    /// <param name="family">Its family.</param>
    public static IPEndPoint LocalAddress(int descriptor, AddressFamily family)
    {
        var any = new IPEndPoint(family == AddressFamily.InterNetworkV6 ? IPAddress.IPv6Any : IPAddress.Any, 0);
        var native = any.Serialize();
        var length = (uint)native.Size;
        fixed (byte* bytes = native.Buffer.Span)
            LibC.GetSocketName(descriptor, bytes, &length);
        return (IPEndPoint)any.Create(native);
    }

    /// <summary>Takes the pending error of a socket.</summary>
    /// <param name="descriptor">The socket.</param>
    /// <returns>The error, 0 for none.</returns>
    public static int TakeError(int descriptor)
    {
        int error;
        uint length = sizeof(int);
        return LibC.GetSocketOption(descriptor, LibC.SocketLevel, LibC.SocketError, &error, &length) == 0
            ? error
            : Errno.Last;
    }

    /// <summary>Makes closing reset the connection.</summary>
    /// <param name="descriptor">The socket.</param>
    public static void ResetOnClose(int descriptor)
    {
        // The array is struct linger: on, seconds.
        var linger = stackalloc int[] { 1, 0 };
        LibC.SetSocketOption(descriptor, LibC.SocketLevel, LibC.Linger, linger, 2 * sizeof(int));
    }
}
