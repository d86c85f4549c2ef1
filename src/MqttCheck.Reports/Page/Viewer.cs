using System.Security.Cryptography;
using System.Text;

namespace MqttCheck.Reports.Page;

/// <summary>The script and the style sheet that are part of every page.</summary>
internal static class Viewer
{
    private static readonly Lazy<string> Bundle = new(() => Resource("viewer.js")),
        WhatIf = new(() => Resource("what-if.js")),
        Sheet = new(() => Resource("page.css"));

    /// <summary>The bundled viewer.</summary>
    public static string Script => Bundle.Value;

    /// <summary>The bundled script of the what-if page.</summary>
    public static string WhatIfScript => WhatIf.Value;

    /// <summary>The style sheet.</summary>
    public static string Style => Sheet.Value;

    /// <summary>The source expression by which a content security policy allows exactly this script.</summary>
    public static string SourceHash(string script) =>
        $"'sha256-{Convert.ToBase64String(SHA256.HashData(Encoding.UTF8.GetBytes(script)))}'";

    private static string Resource(string name)
    {
        using var stream = typeof(Viewer).Assembly.GetManifestResourceStream(name)!;
        using var reader = new StreamReader(stream, Encoding.UTF8);
        return reader.ReadToEnd().ReplaceLineEndings("\n").Trim();
    }
}
