using System.Net;
using System.Security.Cryptography;
using System.Text;
using Microsoft.AspNetCore.Http;
using Microsoft.Net.Http.Headers;

namespace MqttCheck.Server.Hosting;

/// <summary>
/// Lets in who knows the token, and only pages of this server: a name that another site resolves to this machine (DNS
/// rebinding) is not its own, and a request that another site's page makes has a foreign origin.
/// </summary>
internal sealed class AccessGuard
{
    private const int TokenBytes = 24;
    private const string TokenKey = "token";
    private const string BearerPrefix = "Bearer ";

    // Nothing is fetched from elsewhere, and no script runs but the page's own. Charts carry styles of their own.
    private const string Policy =
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src data:; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private readonly byte[] _token;
    private readonly HashSet<string> _hosts;
    private readonly string _cookie;

    /// <summary>A guard.</summary>
    /// <param name="token">The secret; null for a new one.</param>
    /// <param name="endpoint">The address that the server listens on.</param>
    public AccessGuard(string? token, IPEndPoint endpoint)
    {
        Token = token ?? Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(TokenBytes));
        _token = Encoding.UTF8.GetBytes(Token);
        var port = FormattableString.Invariant($":{endpoint.Port}");
        // Cookies do not know ports: two servers of one machine must not take each other's.
        _cookie = FormattableString.Invariant($"mqttcheck-{endpoint.Port}");
        _hosts = new(StringComparer.OrdinalIgnoreCase) { HostOf(endpoint) };
        if (IPAddress.IsLoopback(endpoint.Address))
            _hosts.UnionWith(["localhost" + port, "127.0.0.1" + port, "[::1]" + port]);
    }

    /// <summary>The secret.</summary>
    public string Token { get; }

    /// <summary>An endpoint as an address has it.</summary>
    public static string HostOf(IPEndPoint endpoint) => endpoint.ToString();

    /// <summary>Sets the headers that every answer has.</summary>
    public static void Protect(HttpResponse response)
    {
        var headers = response.Headers;
        headers[HeaderNames.ContentSecurityPolicy] = Policy;
        headers[HeaderNames.XContentTypeOptions] = "nosniff";
        headers["Referrer-Policy"] = "no-referrer";
        headers["Cross-Origin-Resource-Policy"] = "same-origin";
        headers["Cross-Origin-Opener-Policy"] = "same-origin";
        headers[HeaderNames.CacheControl] = "no-store";
    }

    /// <summary>Refuses what does not come from a page of this server, or does not know the token.</summary>
    /// <returns>Whether the request is answered: an address with the token is exchanged for a cookie.</returns>
    /// <exception cref="Refusal">It may not come in.</exception>
    public bool Answer(HttpContext context)
    {
        var request = context.Request;
        if (!_hosts.Contains(request.Host.Value ?? ""))
            throw new Refusal(
                StatusCodes.Status421MisdirectedRequest,
                $"This server is not '{Shown(request.Host.Value)}'; allowed: {string.Join(", ", _hosts)}."
            );
        var origin = request.Headers.Origin.ToString();
        if (
            origin.Length > 0
            && !_hosts.Any(host => origin.Equals("http://" + host, StringComparison.OrdinalIgnoreCase))
        )
            throw new Refusal(
                StatusCodes.Status403Forbidden,
                $"The request comes from a page of '{Shown(origin)}'; allowed: pages of this server."
            );
        if (request.Path == "/" && request.Query.TryGetValue(TokenKey, out var given))
        {
            Require(given.ToString());
            context.Response.Cookies.Append(
                _cookie,
                Token,
                new()
                {
                    HttpOnly = true,
                    SameSite = Microsoft.AspNetCore.Http.SameSiteMode.Strict,
                    Path = "/",
                }
            );
            // A page that another site opens brings no strict cookie along; one that opens itself does.
            context.Response.StatusCode = StatusCodes.Status303SeeOther;
            context.Response.Headers.Location = "/";
            return true;
        }
        var bearer = request.Headers.Authorization.ToString();
        Require(
            bearer.StartsWith(BearerPrefix, StringComparison.Ordinal)
                ? bearer[BearerPrefix.Length..]
                : request.Cookies[_cookie]
        );
        return false;
    }

    private void Require(string? token)
    {
        if (token is null || !CryptographicOperations.FixedTimeEquals(Encoding.UTF8.GetBytes(token), _token))
            throw new Refusal(
                StatusCodes.Status401Unauthorized,
                $"The token is {(token is null ? "missing" : "wrong")}; allowed: the address that 'mqttcheck serve' "
                    + "printed, or the header 'Authorization: Bearer TOKEN'."
            );
    }

    // A message must not grow with what a stranger sends.
    private static string Shown(string? text) =>
        text is null ? ""
        : text.Length <= 100 ? text
        : text[..100] + "...";
}
