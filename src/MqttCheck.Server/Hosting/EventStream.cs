using System.Text;
using Microsoft.AspNetCore.Http;

namespace MqttCheck.Server.Hosting;

/// <summary>A stream of server-sent events (WHATWG HTML, section 9.2), each with one line of JSON.</summary>
/// <param name="context">The request that it answers.</param>
/// <param name="before">Is called before each event is sent.</param>
internal sealed class EventStream(HttpContext context, Func<string, object, CancellationToken, Task>? before)
{
    /// <summary>Begins the answer.</summary>
    public async Task BeginAsync(CancellationToken cancellation)
    {
        context.Response.ContentType = "text/event-stream; charset=utf-8";
        await context.Response.Body.FlushAsync(cancellation);
    }

    /// <summary>Sends an event.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="value">The contents of the event.</param>
    public async Task SendAsync(string name, object value, CancellationToken cancellation)
    {
        if (before is not null)
            await before(name, value, cancellation);
        byte[] bytes = [.. Encoding.UTF8.GetBytes($"event: {name}\ndata: "), .. AnswerJson.Of(value), .. "\n\n"u8];
        await context.Response.Body.WriteAsync(bytes, cancellation);
        await context.Response.Body.FlushAsync(cancellation);
    }
}
