using System.Text;

namespace MqttCheck.Brokers.Wire.WebSockets;

/// <summary>The server's side of the handshake.</summary>
/// <param name="options">How.</param>
internal sealed class WebSocketServerHandshake(WebSocketServerOptions options) : WebSocketHandshake
{
    private const int KeyBytes = 16;

    /// <inheritdoc/>
    public override bool IsClient => false;

    /// <inheritdoc/>
    public override byte[] Opening => [];

    /// <inheritdoc/>
    public override string? Judge(HttpHead? head, out byte[] answer)
    {
        var (status, problem) = Problem(head);
        if (problem is not null)
        {
            answer = Encoding.ASCII.GetBytes(
                $"HTTP/1.1 {status}\r\nSec-WebSocket-Version: 13\r\nContent-Type: text/plain\r\n"
                    + $"Content-Length: {problem.Length + 1}\r\nConnection: close\r\n\r\n{problem}\n"
            );
            return problem;
        }
        answer = Encoding.ASCII.GetBytes(
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Accept: "
                + $"{Accept(head!["Sec-WebSocket-Key"])}\r\nSec-WebSocket-Protocol: {SubProtocol}\r\n\r\n"
        );
        return null;
    }

    private static bool IsKey(string text) =>
        Convert.TryFromBase64String(text, stackalloc byte[KeyBytes + 8], out var length) && length == KeyBytes;

    private (string Status, string? Problem) Problem(HttpHead? head)
    {
        const string badRequest = "400 Bad Request";
        if (head?.FirstLine.Split(' ') is not ["GET", var path, "HTTP/1.1"] || head["Host"].Length == 0)
            return (badRequest, "the request is not an HTTP/1.1 GET with a Host");
        if (options.Path is not null && path.Split('?')[0] != options.Path)
            return ("404 Not Found", "the path is not served");
        if (!head.Lists("Upgrade", "websocket") || !head.Lists("Connection", "Upgrade"))
            return ("426 Upgrade Required", "the request does not ask for WebSocket");
        if (head["Sec-WebSocket-Version"] != "13")
            return ("426 Upgrade Required", "the request is not for version 13 of WebSocket");
        if (!IsKey(head["Sec-WebSocket-Key"]))
            return (badRequest, "the request has no key of 16 bytes");
        return head["Sec-WebSocket-Protocol"].Split(',', StringSplitOptions.TrimEntries).Contains(SubProtocol)
            ? ("", null)
            : (badRequest, $"the request does not offer the sub-protocol '{SubProtocol}'");
    }
}
