using System.Net.Sockets;
using System.Net.WebSockets;
using System.Security.Authentication;
using MqttCheck.Brokers.Wire;
using MQTTnet.Adapter;
using MQTTnet.Exceptions;

namespace MqttCheck.MqttNet.Client;

/// <summary>Converts an exception of the library into the reason why a connection ended.</summary>
internal static class MqttNetFailure
{
    /// <summary>Why a connection ended, or could not be made.</summary>
    /// <param name="exception">The exception.</param>
    /// <returns>The reason, and the system's or the library's words.</returns>
    public static (CloseReason Reason, string Detail) Of(Exception exception)
    {
        for (var inner = exception; inner is not null; inner = inner.InnerException)
        {
            switch (inner)
            {
                case SocketException socket:
                    return (Of(socket.SocketErrorCode), socket.Message);
                case AuthenticationException or WebSocketException { InnerException: null }:
                    return (CloseReason.HandshakeFailed, inner.Message);
                case OperationCanceledException or MqttCommunicationTimedOutException:
                    return (CloseReason.ConnectTimeout, "no answer in time");
                default:
                    break;
            }
        }
        // The broker closed the connection instead of sending CONNACK.
        return exception is MqttConnectingFailedException { InnerException: MqttCommunicationException }
            ? (CloseReason.ClosedByPeer, "")
            : (CloseReason.Reset, exception.Message);
    }

    private static CloseReason Of(SocketError error) =>
        error switch
        {
            SocketError.TimedOut => CloseReason.ConnectTimeout,
            SocketError.ConnectionReset or SocketError.ConnectionAborted or SocketError.Shutdown => CloseReason.Reset,
            SocketError.AddressNotAvailable
            or SocketError.AccessDenied
            or SocketError.TooManyOpenSockets
            or SocketError.NoBufferSpaceAvailable => CloseReason.LocalFailure,
            _ => CloseReason.Refused,
        };
}
