using Microsoft.AspNetCore.Http;

namespace MqttCheck.Server.Hosting;

/// <summary>Reads the body of a request.</summary>
internal static class RequestBody
{
    /// <summary>The bytes; the server limits how many.</summary>
    /// <exception cref="Refusal">The body is not said to be JSON.</exception>
    /// <exception cref="BadHttpRequestException">It is too large.</exception>
    public static async Task<byte[]> ReadAsync(HttpContext context)
    {
        // A form of another site can post without asking first, but never as JSON.
        if (!context.Request.HasJsonContentType())
            throw new Refusal(
                StatusCodes.Status415UnsupportedMediaType,
                "The content type is not JSON; allowed: application/json."
            );
        using var body = new MemoryStream();
        await context.Request.Body.CopyToAsync(body, context.RequestAborted);
        return body.ToArray();
    }
}
