using System.Net;
using System.Net.Sockets;

namespace MqttCheck.Brokers.Wire;

/// <summary>Words for an address that cannot be served.</summary>
internal static class ListenFailure
{
    /// <summary>The exception for an error.</summary>
    /// <param name="address">The address.</param>
    /// <param name="error">The error.</param>
    /// <param name="text">The system's words, used if there is no better explanation.</param>
    public static WireException Of(IPEndPoint address, SocketError error, string text) =>
        new(
            error switch
            {
                SocketError.AddressAlreadyInUse =>
                    $"Cannot listen on {address}: the port is in use. Choose another, or port 0 for any free one.",
                SocketError.AccessDenied => $"Cannot listen on {address}: no permission. Ports "
                    + "below 1024 need privileges; choose a higher one.",
                SocketError.AddressNotAvailable =>
                    $"Cannot listen on {address}: this machine does not have the address.",
                _ => $"Cannot listen on {address}: {text}.",
            }
        );
}
