using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Clusters.Topologies;

namespace MqttCheck.LiveClusters.Nodes;

/// <summary>
/// The broadcast domain of a cluster's nodes: a multicast group on the loopback interface. Its datagrams have a time to
/// live of 0, so they never leave the machine.
/// </summary>
/// <param name="socket">A socket that has joined the group.</param>
/// <param name="group">The address of the group.</param>
internal sealed class LoopbackMulticast(Socket socket, IPEndPoint group) : IDisposable
{
    private const int LargestDatagram = 512;
    private const int TestBytes = 16;
    private const int TryMilliseconds = 200;
    private const long TestPatienceNanoseconds = 5_000_000_000;

    private static readonly TimeSpan s_leavePatience = TimeSpan.FromSeconds(5);

    private Thread? _listener;

    /// <summary>Joins a group, and checks that a datagram sent to it comes back.</summary>
    /// <param name="group">The group.</param>
    /// <exception cref="BrokerException">This machine does not multicast on the loopback interface.</exception>
    public static LoopbackMulticast Join(MulticastGroup group)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        try
        {
            // All nodes of the machine listen on the one port.
            socket.SetSocketOption(SocketOptionLevel.Socket, SocketOptionName.ReuseAddress, true);
            // A socket that is bound to the group receives nothing else; Windows allows any address only.
            socket.Bind(new IPEndPoint(OperatingSystem.IsWindows() ? IPAddress.Any : group.Address, group.Port));
            var interfaceAddress = BitConverter.ToInt32(IPAddress.Loopback.GetAddressBytes());
            Set(SocketOptionName.MulticastInterface, interfaceAddress);
            Set(SocketOptionName.MulticastTimeToLive, 0);
            Set(SocketOptionName.MulticastLoopback, 1);
            socket.SetSocketOption(
                SocketOptionLevel.IP,
                SocketOptionName.AddMembership,
                new MulticastOption(group.Address, IPAddress.Loopback)
            );
            var joined = new LoopbackMulticast(socket, new IPEndPoint(group.Address, group.Port));
            return joined.ComesBack()
                ? joined
                : throw new BrokerException(Problem(group, "what is sent to the group does not come back"));
        }
        catch (SocketException exception)
        {
            socket.Dispose();
            throw new BrokerException(Problem(group, exception.Message), exception);
        }
        catch (BrokerException)
        {
            socket.Dispose();
            throw;
        }

        void Set(SocketOptionName name, int value) => socket.SetSocketOption(SocketOptionLevel.IP, name, value);
    }

    /// <summary>Sends a datagram to all that have joined, this node included.</summary>
    /// <remarks>A datagram that the system does not take is lost, as one on a network may be.</remarks>
    public void Send(ReadOnlySpan<byte> datagram)
    {
        try
        {
            socket.SendTo(datagram, group);
        }
        catch (SocketException)
        {
            // A lost announcement does no harm, because announcements are repeated.
        }
    }

    /// <summary>Takes datagrams on a thread of its own until this is disposed of.</summary>
    /// <param name="take">Takes a datagram, on that thread.</param>
    public void Listen(Action<byte[]> take)
    {
        _listener = new Thread(() => Listen(socket, take)) { IsBackground = true, Name = "multicast" };
        _listener.Start();
    }

    /// <summary>Leaves the group; nothing is taken any more when this returns.</summary>
    public void Dispose()
    {
        socket.Dispose();
        _listener?.Join(s_leavePatience);
    }

    private static void Listen(Socket socket, Action<byte[]> take)
    {
        var buffer = new byte[LargestDatagram];
        try
        {
            while (true)
                take(buffer[..socket.Receive(buffer)]);
        }
        catch (Exception exception) when (exception is SocketException or ObjectDisposedException)
        {
            // The socket was disposed of, which ends the thread.
        }
    }

    private bool ComesBack()
    {
        var (sent, buffer) = (RandomNumberGenerator.GetBytes(TestBytes), new byte[LargestDatagram]);
        var until = MonotonicClock.NowNanoseconds + TestPatienceNanoseconds;
        socket.ReceiveTimeout = TryMilliseconds;
        while (MonotonicClock.NowNanoseconds < until)
        {
            socket.SendTo(sent, group);
            if (ReceivesTest())
            {
                socket.ReceiveTimeout = 0;
                return true;
            }
        }
        return false;

        // The test reads on, because other nodes may announce themselves at the same time.
        bool ReceivesTest()
        {
            try
            {
                while (MonotonicClock.NowNanoseconds < until)
                    if (buffer.AsSpan(0, socket.Receive(buffer)).SequenceEqual(sent))
                        return true;
            }
            catch (SocketException exception) when (exception.SocketErrorCode == SocketError.TimedOut)
            {
                // The caller sends the test datagram once more after a time-out.
            }
            return false;
        }
    }

    private static string Problem(MulticastGroup group, string why) =>
        $"The multicast group {group} cannot be used on the loopback interface: {why}. Allowed: a group in 239.0.0.0/8 "
        + "and a port that no other program has for itself. Where a machine or a container has no multicast on its "
        + "loopback interface, set \"multicast\": \"none\" in the \"overlay\" of the cluster's file: nodes then "
        + "announce themselves over their links.";
}
