using Microsoft.AspNetCore.Http;

namespace MqttCheck.Server.Hosting;

/// <summary>One thing that the server answers.</summary>
/// <param name="Method">The method of HTTP.</param>
/// <param name="Path">The path; one that ends with a slash takes a name behind it.</param>
/// <param name="Answer">Answers a request.</param>
internal sealed record Route(string Method, string Path, Func<HttpContext, Task> Answer)
{
    /// <summary>Whether it is the one for a path.</summary>
    public bool Takes(string path) =>
        Path is not "/" && Path.EndsWith('/')
            ? path.StartsWith(Path, StringComparison.Ordinal) && path.Length > Path.Length
            : path == Path;
}
